//! Compares the measurements with the goals of the widget.

mod goal;

use std::fmt;

use self::goal::{Goal, Judge};
use super::Loads;
use super::load::Load;
use super::profile::ROUND_TRIP;
use super::tasks::Tasks;
use super::variant::Variant;
use crate::figures::{Figures, ratios};

/// The goals that were measured, in order.
#[derive(Default)]
pub(super) struct Goals(Vec<Goal>);

/// The time to our first choice (or paint), as a maximum multiple of the other's first choice.
const FIRST_CHOICE: [(Variant, Variant, f64); 12] = [
    (Variant::Tender, Variant::Plain, 1.1),
    (Variant::Tender, Variant::Preact, 1.0),
    (Variant::Tender, Variant::Adyen, 0.56),
    (Variant::Tender, Variant::Depay, 0.11),
    (Variant::Tender, Variant::Request, 0.04),
    (Variant::TenderPreloaded, Variant::Plain, 0.9),
    (Variant::TenderAllPreloaded, Variant::Plain, 0.9),
    (Variant::TenderInPage, Variant::Plain, 0.65),
    (Variant::TenderInPageLinked, Variant::Plain, 0.65),
    (Variant::TenderInPage, Variant::Adyen, 0.32),
    (Variant::TenderInPageLinked, Variant::Adyen, 0.32),
    (Variant::Hosted, Variant::Plain, 0.7),
];

/// The time until our form can be submitted, as a maximum multiple of the other's first choice.
const READY: [(Variant, Variant, f64); 3] = [
    (Variant::Tender, Variant::Adyen, 1.45),
    (Variant::TenderPreloaded, Variant::Adyen, 1.2),
    (Variant::TenderAllPreloaded, Variant::Adyen, 1.2),
];

/// Transferred kilobytes until the first choice, with the page itself if it is the checkout.
const KILOBYTES: [(Variant, f64); 4] = [
    (Variant::Tender, 12.0),
    (Variant::TenderPreloaded, 12.0),
    (Variant::TenderAllPreloaded, 12.0),
    (Variant::Hosted, 10.0),
];

/// The variants whose module replaces the form as HTML.
const TAKEN_OVER: [Variant; 5] = [
    Variant::Tender,
    Variant::TenderPreloaded,
    Variant::TenderAllPreloaded,
    Variant::TenderInPage,
    Variant::TenderInPageLinked,
];

impl Goals {
    /// Adds the goals for the slow profile.
    pub(super) fn add_loads(&mut self, loads: &Loads) {
        let choices = |load: &Load| Some(load.choice);
        for (ours, other, limit) in FIRST_CHOICE {
            let what = format!("first choice: {} / {}", ours.title(), other.title());
            let reached = ratio(loads, ours, choices, other, choices);
            self.add(what, limit, "", Judge::Median, reached);
        }
        for (ours, other, limit) in READY {
            let what = format!(
                "ready to submit: {} / first choice: {}",
                ours.title(),
                other.title()
            );
            let reached = ratio(loads, ours, |load| load.submit, other, choices);
            self.add(what, limit, "", Judge::Median, reached);
        }
        for (variant, limit) in KILOBYTES {
            let what = format!("brotli before the first choice: {}", variant.title());
            let kilobytes = values(loads, variant, |load| Some(load.bytes / 1000.0));
            self.add(what, limit, " KB", Judge::Median, kilobytes);
        }
        for variant in TAKEN_OVER {
            // What else is received by then is for later.
            let what = format!(
                "brotli that the first choice waits for, loader and form: {}",
                variant.title()
            );
            let kilobytes = values(loads, variant, |load| {
                let bytes = load.bytes_of("/checkout.js") + load.bytes_of("/checkout.html");
                Some(bytes / 1000.0)
            });
            self.add(what, 8.5, " KB", Judge::Median, kilobytes);
            let mut add = |what, limit, unit, judge, read: fn(&Load) -> Option<f64>| {
                let what = format!("{what}: {}", variant.title());
                self.add(what, limit, unit, judge, values(loads, variant, read));
            };
            add(
                "blocking before the first choice",
                10.0,
                " ms",
                Judge::Median,
                |load| Some(load.blocking_before),
            );
            add(
                "longest task after the first choice",
                80.0,
                " ms",
                Judge::Largest,
                |load| Some(load.longest_after),
            );
            add(
                "layout shift after the first choice",
                0.0,
                "",
                Judge::Largest,
                |load| load.shift_after,
            );
        }
        let work = |load: &Load| Some(load.work);
        self.add(
            "main-thread time: Tender / Adyen".to_owned(),
            0.4,
            "",
            Judge::Median,
            ratio(loads, Variant::Tender, work, Variant::Adyen, work),
        );
        self.add(
            "heap and WebAssembly memory".to_owned(),
            3.0,
            " MB",
            Judge::Median,
            values(loads, Variant::Tender, |load| {
                Some((load.heap + load.wasm) / 1e6)
            }),
        );
    }

    pub(super) fn add_tasks(&mut self, tasks: &Tasks) {
        let what = "first choice: 2,000 records / 8".to_owned();
        let growth = Some(tasks.growth_of_listing());
        self.add(what, 1.3, "", Judge::Median, growth);
        let figures = |values: &[f64]| Some(values.iter().copied().collect());
        for presses in &tasks.presses {
            if !TAKEN_OVER.map(Variant::title).contains(&presses.title) {
                continue;
            }
            let what = format!("from submit to amount: {}", presses.title);
            let limit = f64::from(ROUND_TRIP) + 50.0;
            let ready = figures(&presses.ready);
            self.add(what, limit, " ms", Judge::Median, ready);
            let what = format!("slowest press to next frame: {}", presses.title);
            let slowest = figures(&presses.slowest);
            self.add(what, 200.0, " ms", Judge::Largest, slowest);
        }
        for (mounts, browser) in [
            (&tasks.mounts, ""),
            (&tasks.mounts_interpreted, ", without JIT"),
        ] {
            if let (Some(first), Some(last)) = (mounts.first(), mounts.last()) {
                // If a page leaks memory, the ratio approaches ten.
                let what = format!("memory after 1,000 mounts and removals / after 100{browser}");
                self.add(what, 1.05, "", Judge::Median, figures(&[last / first]));
            }
        }
    }

    /// Adds a goal, unless it was not measured.
    fn add(
        &mut self,
        what: String,
        limit: f64,
        unit: &'static str,
        judged_by: Judge,
        reached: Option<Figures>,
    ) {
        self.0.extend(reached.map(|reached| Goal {
            what,
            limit,
            unit,
            judged_by,
            reached,
        }));
    }
}

/// The values of a variant, if it was measured and has them.
fn values(loads: &Loads, variant: Variant, read: fn(&Load) -> Option<f64>) -> Option<Figures> {
    loads.get(&variant)?.iter().map(read).collect()
}

/// The ratios of two variants' values in the same round, if both were measured.
fn ratio(
    loads: &Loads,
    ours: Variant,
    read_ours: fn(&Load) -> Option<f64>,
    other: Variant,
    read_other: fn(&Load) -> Option<f64>,
) -> Option<Figures> {
    let ours: Vec<f64> = loads
        .get(&ours)?
        .iter()
        .map(read_ours)
        .collect::<Option<_>>()?;
    let other: Vec<f64> = loads
        .get(&other)?
        .iter()
        .map(read_other)
        .collect::<Option<_>>()?;
    Some(ratios(&ours, &other))
}

impl fmt::Display for Goals {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        writeln!(
            formatter,
            "\n#### The goals\n\n| | goal | reached | |\n|---|--:|--:|---|"
        )?;
        for goal in &self.0 {
            writeln!(formatter, "{goal}")?;
        }
        Ok(())
    }
}
