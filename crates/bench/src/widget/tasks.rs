//! Measurements beyond the first choice: a long listing, the time to the amount, and a page that
//! mounts and removes checkouts all day.

use std::fmt;
use std::path::Path;

use serde::Serialize;

use super::chromium::Chromium;
use super::load::Load;
use super::page::{Memory, Page};
use super::profile::{Profile, ROUND_TRIP};
use super::site::Site;
use super::trace::{self, ALL_CATEGORIES};
use super::variant::Variant;
use crate::error::Error;
use crate::figures::{Figures, ratios};

const FEW: usize = 8;
const MANY: usize = 2000;

/// Number of mounts between two measurements of the memory, and number of measurements.
const MOUNTS: usize = 100;
const SAMPLES: usize = 10;

const MOUNT: &str = include_str!("mounts.js");

/// Makes V8 interpret all JavaScript. Otherwise it compiles frequent functions, and the compiled
/// code makes the heap grow even without a leak.
const NOTHING_COMPILED: &str = "--js-flags=--no-sparkplug,--no-maglev,--no-turbofan";

#[derive(Serialize)]
pub(super) struct Tasks {
    /// Milliseconds to the first choice with a short listing, and in the same round with a long
    /// one.
    pub(super) few: Vec<f64>,
    pub(super) many: Vec<f64>,
    /// Transferred bytes of the long listing.
    pub(super) many_bytes: f64,
    /// Milliseconds from pressing the button to the amount on the screen.
    pub(super) amount: Vec<(&'static str, Vec<f64>)>,
    /// Memory in bytes after each hundred mounts and removals.
    pub(super) mounts: Vec<f64>,
    /// The same without compiled JavaScript, which shows only retained objects.
    pub(super) mounts_interpreted: Vec<f64>,
}

impl Tasks {
    /// Runs all rounds after a warm-up round, which leaves screenshots and traces in `results`.
    pub(super) fn measure(site: &mut Site, rounds: usize, results: &Path) -> Result<Self, Error> {
        let mut tasks = Self {
            few: Vec::new(),
            many: Vec::new(),
            many_bytes: 0.0,
            amount: Vec::new(),
            mounts: Vec::new(),
            mounts_interpreted: Vec::new(),
        };
        for round in 0..=rounds {
            for count in [FEW, MANY] {
                eprintln!("{count} records, round {round} of {rounds}");
                site.list(count)?;
                let load = Load::measure(site, Variant::Tender, Profile::Slow, None)?;
                if count == MANY {
                    tasks.many_bytes = load.bytes_of("/my-tokens");
                }
                if round > 0 {
                    let times = if count == FEW {
                        &mut tasks.few
                    } else {
                        &mut tasks.many
                    };
                    times.push(load.choice);
                }
            }
        }
        site.list(FEW)?;
        for variant in [Variant::Tender, Variant::Plain, Variant::Preact] {
            let mut times = Vec::new();
            for round in 0..=rounds {
                eprintln!(
                    "to the amount, round {round} of {rounds}: {}",
                    variant.key()
                );
                let keep = results.join(format!("{}-amount", variant.key()));
                let keep = (round == 0).then_some(keep.as_path());
                let time = to_the_amount(site, variant, round, keep)?;
                if round > 0 {
                    times.push(time);
                }
            }
            tasks.amount.push((variant.title(), times));
        }
        tasks.mounts = mount_and_remove(site, &[])?;
        tasks.mounts_interpreted = mount_and_remove(site, &[NOTHING_COMPILED])?;
        Ok(tasks)
    }

    pub(super) fn growth_of_listing(&self) -> Figures {
        ratios(&self.many, &self.few)
    }
}

/// The time from pressing the button until the amount is painted. With `keep`, writes a screenshot
/// and a trace.
fn to_the_amount(
    site: &mut Site,
    variant: Variant,
    round: usize,
    keep: Option<&Path>,
) -> Result<f64, Error> {
    let mut page = Page::open(Profile::Slow, &site.empty_page())?;
    let choice = variant.choice().0;
    page.watch_from_start("choice", choice)?;
    // A new invoice each time, because the proxy would answer a repeat from its database.
    let invoice = format!("INV-{}-{round}", variant.key());
    page.go(&site.page_with(variant, &invoice)?)?;
    page.moment("choice")?;
    page.press(choice)?;
    // A buyer needs at least this long to move to the button.
    page.sleep(std::time::Duration::from_secs(1))?;
    if keep.is_some() {
        page.record(&ALL_CATEGORIES)?;
    }
    page.watch("amount", "[part=amount]")?;
    page.press("button[type=submit]")?;
    let moment = page.moment("amount")?;
    if let Some(keep) = keep {
        page.picture(&keep.with_extension("png"))?;
        trace::keep(&page.recorded()?, keep)?;
    }
    Ok(moment.since_press)
}

/// The memory after each hundred mounts, in a browser with these arguments.
fn mount_and_remove(site: &mut Site, arguments: &[&str]) -> Result<Vec<f64>, Error> {
    let chromium = Chromium::start(arguments)?;
    let mut page = Page::open_in(chromium, Profile::Plain, &site.empty_page())?;
    page.watch_from_start("choice", Variant::Tender.choice().0)?;
    page.go(&site.page_with(Variant::Tender, "INV-1042")?)?;
    page.moment("choice")?;
    let mut memory = Vec::new();
    for index in 1..=SAMPLES {
        eprintln!("mounts and removals: {}", index * MOUNTS);
        page.evaluate(&format!("({MOUNT})({MOUNTS})"))?;
        memory.push(page.memory().map(Memory::total)?);
    }
    Ok(memory)
}

impl fmt::Display for Tasks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures = |values: &[f64]| values.iter().copied().collect::<Figures>();
        writeln!(formatter, "\n### Beyond the first choice\n")?;
        writeln!(formatter, "| CPU 4x, 1.6 Mbit/s, 150 ms | ms |\n|---|--:|")?;
        let [few, many] = [&self.few, &self.many].map(|times| figures(times));
        writeln!(
            formatter,
            "| Tender's first choice, {FEW} records | {few} |"
        )?;
        let kilobytes = self.many_bytes / 1000.0;
        writeln!(
            formatter,
            "| Tender's first choice, {MANY} records ({kilobytes:.0} KB) | {many} |"
        )?;
        for (title, times) in &self.amount {
            let times = figures(times);
            writeln!(
                formatter,
                "| From submit to amount (including {ROUND_TRIP} ms of network latency): {title} | {times} |"
            )?;
        }
        let megabytes = |mounts: &[f64]| {
            let mounts = mounts.iter().map(|bytes| format!("{:.2}", bytes / 1e6));
            mounts.collect::<Vec<_>>().join(", ")
        };
        writeln!(
            formatter,
            "\nHeap and WebAssembly memory after each {MOUNTS} mounts and removals, in MB: {}\n\n\
             The same with V8 compiling no JavaScript: {}",
            megabytes(&self.mounts),
            megabytes(&self.mounts_interpreted)
        )
    }
}
