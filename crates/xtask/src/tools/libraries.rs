//! Libraries of the tests: of the programs in the documentation, of the pages, and a validator.

use super::tool::{Probe, Source, Tool};
use crate::step::Step::{Browser, Clippy, E2e, Native};

/// The environment variables with their folders, and their names.
pub(crate) const LIBRARIES: [(&str, &[&str]); 3] = [
    ("TENDER_JOSE", &["jose"]),
    ("TENDER_PYJWT", &["pyjwt"]),
    ("TENDER_SCHEMATHESIS", &["schemathesis"]),
];

/// What the browser tests compute roles and names with.
pub(crate) const ACCESSIBILITY: &str = "dom-accessibility-api";

/// The validator of the end-to-end tests.
pub(crate) const CYCLONEDX: &str = "cyclonedx";

const SIGNER: &str = "the JWT library of docs/orders.md";

/// Those of npm.
pub(super) fn node() -> [Tool; 2] {
    let library = |package, folder, version, why, needed_by| Tool {
        name: package,
        why,
        needed_by,
        probe: Probe::Library(folder),
        source: Source::Npm {
            package,
            version,
            reports: version,
        },
    };
    [
        library("jose", "node_modules/jose", "6.2.17", SIGNER, &[Native]),
        library(
            ACCESSIBILITY,
            "node_modules/dom-accessibility-api",
            "0.7.1",
            "computes roles and names for the browser tests where the browser doesn't",
            &[Clippy, Browser],
        ),
    ]
}

/// Those of the Python Package Index.
pub(super) fn python() -> [Tool; 3] {
    let library = |name, package, folder, version, why| Tool {
        name,
        why,
        needed_by: &[Native],
        probe: Probe::Library(folder),
        source: Source::Pip { package, version },
    };
    [
        library("pyjwt", "PyJWT[crypto]", "jwt", "2.15.1", SIGNER),
        library(
            "schemathesis",
            "schemathesis",
            "schemathesis",
            "4.32.5",
            "sends generated requests to the proxy, and checks its answers with the OpenAPI document",
        ),
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
