//! Libraries of the tests: of the programs in the documentation, and a validator.

use super::table::{Probe, Source, Tool};
use crate::step::Step::{E2e, Native};

/// The environment variables with their folders, and their names.
pub(crate) const LIBRARIES: [(&str, &[&str]); 4] = [
    ("TENDER_JOSE", &["jose"]),
    ("TENDER_PYJWT", &["pyjwt"]),
    (
        "TENDER_NODE_LIBRARIES",
        &["standardwebhooks", "express", "pg"],
    ),
    (
        "TENDER_PYTHON_LIBRARIES",
        &["py-standardwebhooks", "flask", "psycopg"],
    ),
];

/// The validator of the end-to-end tests.
pub(crate) const CYCLONEDX: &str = "cyclonedx";

const SIGNER: &str = "the JWT library of docs/orders.md";
const RECEIVER: &str = "a library of docs/fulfilment.md";

/// Those of npm.
pub(super) fn node() -> [Tool; 4] {
    let library = |package, folder, version, why| Tool {
        name: package,
        why,
        needed_by: &[Native],
        probe: Probe::Library(folder),
        source: Source::Npm {
            package,
            version,
            reports: version,
        },
    };
    let standardwebhooks = "node_modules/standardwebhooks";
    [
        library("jose", "node_modules/jose", "6.2.17", SIGNER),
        library("standardwebhooks", standardwebhooks, "1.1.1", RECEIVER),
        library("express", "node_modules/express", "5.3.0", RECEIVER),
        library("pg", "node_modules/pg", "8.23.1", RECEIVER),
    ]
}

/// Those of the Python Package Index.
pub(super) fn python() -> [Tool; 5] {
    let library = |name, package, folder, version, why| Tool {
        name,
        why,
        needed_by: &[Native],
        probe: Probe::Library(folder),
        source: Source::Pip { package, version },
    };
    let standardwebhooks = "standardwebhooks";
    [
        library("pyjwt", "PyJWT[crypto]", "jwt", "2.15.1", SIGNER),
        library(
            "py-standardwebhooks",
            standardwebhooks,
            standardwebhooks,
            "1.1.0",
            RECEIVER,
        ),
        library("flask", "Flask", "flask", "3.1.3", RECEIVER),
        library("psycopg", "psycopg[binary]", "psycopg", "3.3.9", RECEIVER),
        Tool {
            name: CYCLONEDX,
            why: "validates the bill of materials of a release",
            needed_by: &[E2e],
            probe: Probe::Library("cyclonedx"),
            source: Source::Pip {
                package: "cyclonedx-python-lib[json-validation]",
                version: "11.12.0",
            },
        },
    ]
}
