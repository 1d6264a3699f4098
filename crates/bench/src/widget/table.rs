//! The tables, with median, minimum and maximum.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;
use std::thread::available_parallelism;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};

use super::Loads;
use super::chromium::Chromium;
use super::load::Load;
use super::network;
use super::page::text;
use super::profile::Profile;
use super::variant::Variant;
use crate::error::Error;
use crate::figures::{Figures, ratios};

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

pub(super) fn print(profile: Profile, loads: &Loads) {
    println!("\n### {}\n", profile.title());
    println!(
        "| | brotli KB | requests | first choice ms | Tender / this | blocking ms | longest task ms | main thread ms \
         | heap + wasm MB |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    let times = |loads: &[Load]| loads.iter().map(|load| load.choice).collect::<Vec<_>>();
    let tender = loads.get(&Variant::Tender).map(|loads| times(loads));
    for (variant, loads) in loads {
        let of = |read: fn(&Load) -> f64| loads.iter().map(read).collect::<Figures>();
        let ratio = tender.as_ref().map(|tender| ratios(tender, &times(loads)));
        let ratio = ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        println!(
            "| {} | {:.1} | {} | {:.0} | {ratio} | {:.0} | {:.0} | {:.0} | {:.1} |",
            variant.title(),
            of(|load| load.bytes / 1000.0).median(),
            loads.last().map_or(0, |load| load.requests),
            of(|load| load.choice),
            of(|load| load.blocking),
            of(|load| load.longest),
            of(|load| load.work),
            of(|load| (load.heap + load.wasm) / 1e6).median(),
        );
    }
    println!();
    for (variant, loads) in loads {
        println!(
            "- {}: the first choice is {}.{}",
            variant.title(),
            variant.choice().1,
            foreign_hosts(loads)
        );
    }
}

/// The other hosts that a variant sent requests to.
fn foreign_hosts(loads: &[Load]) -> String {
    let mut hosts = BTreeMap::<String, usize>::new();
    for host in loads
        .last()
        .into_iter()
        .flat_map(|load| network::to_other_hosts(&load.log))
    {
        *hosts.entry(host).or_default() += 1;
    }
    if hosts.is_empty() {
        return String::new();
    }
    let hosts: Vec<_> = hosts
        .iter()
        .map(|(host, count)| format!("{host} ({count})"))
        .collect();
    format!(" Its requests to {} failed.", hosts.join(", "))
}
