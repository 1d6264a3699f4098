//! What a measurement was made with.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::thread::available_parallelism;

use fs_err as fs;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};

use super::chromium::Chromium;
use super::page::text;
use super::variant::Variant;
use crate::error::Error;

/// The date, machine and versions of a measurement.
#[derive(Serialize)]
pub(super) struct Environment {
    /// `2026-05-01T12:00:00Z`, in UTC.
    date: String,
    browser: String,
    processors: usize,
    /// The load average of the last minute.
    load: String,
    rounds: usize,
    versions: BTreeMap<&'static str, String>,
}

impl Environment {
    pub(super) fn collect(packages: &Path, rounds: usize) -> Result<Self, Error> {
        let mut chromium = Chromium::start(&[])?;
        let version = chromium.call("", "Browser.getVersion", json!({}))?;
        let named = Variant::ALL.into_iter().filter_map(Variant::package);
        let versions = named.map(|package| {
            let manifest = fs::read(packages.join(package).join("package.json"));
            let manifest: Value =
                serde_json::from_slice(&manifest.unwrap_or_default()).unwrap_or_default();
            (package, text(&manifest, "version"))
        });
        Ok(Self {
            date: Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            browser: text(&version, "product"),
            processors: available_parallelism().map_or(0, usize::from),
            load: load(),
            rounds,
            versions: versions.collect(),
        })
    }

    /// A file name with the date.
    pub(super) fn file_name(&self) -> String {
        self.date.replace([':', '-'], "")
    }
}

impl fmt::Display for Environment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            date,
            browser,
            processors,
            load,
            rounds,
            versions,
        } = self;
        let date = date.split('T').next().unwrap_or(date);
        write!(
            formatter,
            "Measured on {date} with {browser} on {processors} processors (load {load}): medians of {rounds} rounds \
             after a warm-up round, with minimum and maximum."
        )?;
        for (package, version) in versions {
            write!(formatter, " `{package}` {version}.")?;
        }
        writeln!(formatter)
    }
}

/// Read from Linux.
fn load() -> String {
    let loads = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let first = loads.split_whitespace().next().unwrap_or("not known");
    first.to_owned()
}
