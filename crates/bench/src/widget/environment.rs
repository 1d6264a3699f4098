//! What a measurement was made with.

use std::collections::BTreeMap;
use std::fmt;
use std::thread::available_parallelism;

use anyhow::Result;
use jiff::Timestamp;
use procfs::{Current as _, LoadAverage};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::chromium::{Chromium, text};

/// The exact versions of the other checkouts, and of what they are built with.
const PACKAGES: &str = include_str!("../../widget/package.json");

/// The date, machine and versions of a measurement.
#[derive(Serialize)]
pub(super) struct Environment {
    /// `2026-05-01T12:00:00Z`, in UTC.
    date: String,
    browser: String,
    processors: usize,
    /// The load average of the last minute.
    load: f32,
    rounds: u32,
    versions: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Packages {
    dependencies: BTreeMap<String, String>,
}

impl Environment {
    pub(super) fn collect(rounds: u32) -> Result<Self> {
        let version = Chromium::start(&[])?.call(None, "Browser.getVersion", json!({}))?;
        let packages: Packages = serde_json::from_str(PACKAGES)?;
        Ok(Self {
            date: Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            browser: text(&version, "product").to_owned(),
            processors: available_parallelism()?.get(),
            load: LoadAverage::current()?.one,
            rounds,
            versions: packages.dependencies,
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
