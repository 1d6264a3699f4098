//! Measurements beyond the first choice: a long listing, presses of a buyer, and a page that mounts and
//! removes checkouts all day.

mod mounts;
mod presses;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use self::mounts::{MOUNTS, NOTHING_COMPILED, mount_and_remove};
use self::presses::{Press, slowest_press};
use super::load::Load;
use super::profile::{Profile, ROUND_TRIP};
use super::site::Site;
use super::variant::Variant;
use crate::figures::{Figures, ratios};

const FEW: usize = 8;
const MANY: usize = 2000;

#[derive(Default, Serialize)]
pub(super) struct Tasks {
    /// Milliseconds to the first choice with a short listing, and in the same round with a long
    /// one.
    pub(super) few: Vec<f64>,
    pub(super) many: Vec<f64>,
    /// Transferred bytes of the long listing.
    pub(super) many_bytes: f64,
    pub(super) presses: BTreeMap<Variant, Presses>,
    /// Memory in bytes after each hundred mounts and removals.
    pub(super) mounts: Vec<f64>,
    /// The same without compiled JavaScript, which shows only retained objects.
    pub(super) mounts_interpreted: Vec<f64>,
}

/// The presses of all rounds, in milliseconds.
#[derive(Default, Serialize)]
pub(super) struct Presses {
    /// From pressing the button at the first choice until the amount is painted. Empty if another page shows it.
    pub(super) early: Vec<f64>,
    /// From the navigation until then.
    pub(super) early_since_navigation: Vec<f64>,
    /// From pressing the button until the amount is painted, once the form can be submitted.
    pub(super) ready: Vec<f64>,
    /// From the slowest press of a load until the next frame.
    pub(super) slowest: Vec<f64>,
}

impl Tasks {
    /// Runs all rounds after a warm-up round, which leaves screenshots and traces in `results`.
    pub(super) fn measure(
        site: &Site,
        variants: &[Variant],
        rounds: u32,
        results: &Path,
    ) -> Result<Self> {
        let mut tasks = Self::default();
        tasks.measure_listings(site, rounds)?;
        for variant in variants {
            // A payment can be created here only by a form with a script.
            if variant.about().submit.is_some() {
                let presses = Presses::measure(site, *variant, rounds, results)?;
                tasks.presses.insert(*variant, presses);
            }
        }
        tasks.mounts = mount_and_remove(site, &[])?;
        tasks.mounts_interpreted = mount_and_remove(site, &[NOTHING_COMPILED])?;
        Ok(tasks)
    }

    fn measure_listings(&mut self, site: &Site, rounds: u32) -> Result<()> {
        for round in 0..=rounds {
            for count in [FEW, MANY] {
                eprintln!("{count} records, round {round} of {rounds}");
                site.list(count)?;
                let load = Load::measure(site, Variant::Tender, Profile::Slow, None)?;
                if count == MANY {
                    self.many_bytes = load.bytes_of("/my-tokens");
                }
                if round > 0 {
                    let times = if count == FEW {
                        &mut self.few
                    } else {
                        &mut self.many
                    };
                    times.push(load.choice);
                }
            }
        }
        site.list(FEW)
    }

    pub(super) fn growth_of_listing(&self) -> Figures {
        ratios(&self.many, &self.few)
    }
}

impl Presses {
    fn measure(site: &Site, variant: Variant, rounds: u32, results: &Path) -> Result<Self> {
        let mut presses = Self::default();
        for round in 0..=rounds {
            let title = variant.title();
            eprintln!("presses, round {round} of {rounds}: {title}");
            let keep = (round == 0).then_some(results);
            let early = (!variant.opens_payment_page())
                .then(|| Press::AtFirstChoice.to_the_amount(site, variant, round, keep))
                .transpose()?;
            let ready = Press::WhenReady.to_the_amount(site, variant, round, keep)?;
            let slowest = slowest_press(site, variant)?;
            if round > 0 {
                if let Some(early) = early {
                    presses.early.push(early.since_press);
                    presses.early_since_navigation.push(early.time);
                }
                presses.ready.push(ready.since_press);
                presses.slowest.push(slowest);
            }
        }
        Ok(presses)
    }
}

impl fmt::Display for Tasks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures = |values: &[f64]| values.iter().copied().collect::<Figures>();
        writeln!(
            formatter,
            "\n#### Beyond the first choice\n\n\
             | CPU 4x, 1.6 Mbit/s, 150 ms | first choice ms |\n|---|--:|\n\
             | Tender, {FEW} records | {} |\n\
             | Tender, {MANY} records ({:.0} KB) | {} |\n\n\
             | CPU 4x, 1.6 Mbit/s, 150 ms | press at the first choice to amount, ms | navigation to that amount, ms \
             | press when ready to amount, ms | slowest press to next frame, ms |\n|---|--:|--:|--:|--:|",
            figures(&self.few),
            self.many_bytes / 1000.0,
            figures(&self.many),
        )?;
        for (variant, presses) in &self.presses {
            let early = |values: &[f64]| match values {
                [] => "on the payment page".to_owned(),
                _ => figures(values).to_string(),
            };
            writeln!(
                formatter,
                "| {} | {} | {} | {} | {} |",
                variant.title(),
                early(&presses.early),
                early(&presses.early_since_navigation),
                figures(&presses.ready),
                figures(&presses.slowest),
            )?;
        }
        let megabytes = |mounts: &[f64]| {
            let mounts = mounts.iter().map(|bytes| format!("{:.2}", bytes / 1e6));
            mounts.collect::<Vec<_>>().join(", ")
        };
        writeln!(
            formatter,
            "\nThe times to the amount include {ROUND_TRIP} ms of network latency.\n\n\
             Heap and WebAssembly memory after each {MOUNTS} mounts and removals, in MB: {}\n\n\
             The same with V8 compiling no JavaScript: {}",
            megabytes(&self.mounts),
            megabytes(&self.mounts_interpreted)
        )
    }
}
