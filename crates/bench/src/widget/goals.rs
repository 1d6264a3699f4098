//! Compares the measurements with the goals of the widget.

use std::fmt;

use super::Loads;
use super::profile::ROUND_TRIP;
use super::tasks::Tasks;
use super::variant::Variant;
use crate::figures::{Figures, ratios};

/// The goals that were measured, in order.
#[derive(Default)]
pub(super) struct Goals(Vec<Goal>);

struct Goal {
    what: String,
    limit: f64,
    unit: &'static str,
    reached: Figures,
}

/// The time to Tender's first choice, as a maximum multiple of another variant's: with one script
/// tag, and with preload lines.
const TIMES: [(Variant, f64, f64); 4] = [
    (Variant::Depay, 0.16, 0.14),
    (Variant::Request, 0.06, 0.05),
    (Variant::Adyen, 0.60, 0.50),
    (Variant::Plain, 1.8, 1.6),
];

impl Goals {
    /// Adds the goals for the slow profile.
    pub(super) fn add_loads(&mut self, loads: &Loads) {
        let Some(tender) = loads.get(&Variant::Tender) else {
            return;
        };
        let times = |variant| {
            let loads = loads.get(&variant)?;
            Some(loads.iter().map(|load| load.choice).collect::<Vec<_>>())
        };
        let of = |read: fn(&super::Load) -> f64| tender.iter().map(read).collect::<Figures>();
        let kilobytes = of(|load| load.bytes / 1000.0);
        self.add(
            "brotli before the first choice".to_owned(),
            75.0,
            " KB",
            kilobytes,
        );
        for (other, limit, preloaded) in TIMES {
            for (ours, limit) in [
                (Variant::Tender, limit),
                (Variant::TenderPreloaded, preloaded),
            ] {
                if let (Some(ours_times), Some(theirs)) = (times(ours), times(other)) {
                    let what = format!("first choice: {} / {}", ours.title(), other.title());
                    self.add(what, limit, "", ratios(&ours_times, &theirs));
                }
            }
        }
        self.add(
            "total blocking time".to_owned(),
            10.0,
            " ms",
            of(|load| load.blocking),
        );
        self.add(
            "longest task".to_owned(),
            60.0,
            " ms",
            of(|load| load.longest),
        );
        if let Some(adyen) = loads.get(&Variant::Adyen) {
            let work =
                |loads: &[super::Load]| loads.iter().map(|load| load.work).collect::<Vec<_>>();
            let what = "main-thread time: Tender / Adyen".to_owned();
            self.add(what, 0.4, "", ratios(&work(tender), &work(adyen)));
        }
        let memory = of(|load| (load.heap + load.wasm) / 1e6);
        self.add("heap and WebAssembly memory".to_owned(), 3.0, " MB", memory);
    }

    pub(super) fn add_tasks(&mut self, tasks: &Tasks) {
        let what = "first choice: 2,000 records / 8".to_owned();
        self.add(what, 1.3, "", tasks.growth_of_listing());
        if let Some((_, times)) = tasks.amount.first() {
            let limit = f64::from(ROUND_TRIP) + 50.0;
            let times = times.iter().copied().collect();
            self.add("from submit to amount".to_owned(), limit, " ms", times);
        }
        for (mounts, browser) in [
            (&tasks.mounts, ""),
            (&tasks.mounts_interpreted, ", without JIT"),
        ] {
            if let (Some(first), Some(last)) = (mounts.first(), mounts.last()) {
                // If a page leaks memory, the ratio approaches ten.
                let what = format!("memory after 1,000 mounts and removals / after 100{browser}");
                self.add(what, 1.05, "", [last / first].into_iter().collect());
            }
        }
    }

    fn add(&mut self, what: String, limit: f64, unit: &'static str, reached: Figures) {
        self.0.push(Goal {
            what,
            limit,
            unit,
            reached,
        });
    }
}

impl fmt::Display for Goals {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        writeln!(
            formatter,
            "\n### The goals\n\n| | goal | reached | |\n|---|--:|--:|---|"
        )?;
        for Goal {
            what,
            limit,
            unit,
            reached,
        } in &self.0
        {
            let places = if unit.is_empty() { 2 } else { 1 };
            let verdict = if reached.median() <= *limit {
                "met"
            } else {
                "missed"
            };
            writeln!(
                formatter,
                "| {what} | {limit}{unit} | {reached:.places$} | {verdict} |"
            )?;
        }
        Ok(())
    }
}
