//! Compares the measurements with the goals of the widget.

use std::fmt;

use super::Loads;
use super::load::Load;
use super::profile::ROUND_TRIP;
use super::tasks::Tasks;
use super::variant::Variant;
use crate::figures::{Figures, Goals, ratios};

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

/// The goals of each of them.
const OF_TAKEN_OVER: [(&str, Goal, Read); 4] = [
    // What else is received by then is for later.
    (
        "brotli that the first choice waits for, loader and form",
        Goal(8.5, " KB", Judge::Median),
        |load| Some((load.bytes_of("/checkout.js") + load.bytes_of("/checkout.html")) / 1000.0),
    ),
    (
        "blocking before the first choice",
        Goal(10.0, " ms", Judge::Median),
        |load| Some(load.blocking_before),
    ),
    (
        "longest task after the first choice",
        Goal(80.0, " ms", Judge::Largest),
        |load| Some(load.longest_after),
    ),
    (
        "layout shift after the first choice",
        Goal(0.0, "", Judge::Largest),
        |load| load.shift_after,
    ),
];

/// A value of a load, if the variant has it.
type Read = fn(&Load) -> Option<f64>;

/// The largest figure that meets the goal; its unit with a space before it, or nothing; and what must not be above it.
#[derive(Clone, Copy)]
struct Goal(f64, &'static str, Judge);

#[derive(Clone, Copy)]
enum Judge {
    Median,
    /// The largest, for what must never happen.
    Largest,
}

/// Adds the goals for the slow profile.
pub(super) fn add_loads(goals: &mut Goals, loads: &Loads) {
    let choice: Read = |load| Some(load.choice);
    let submit: Read = |load| load.submit;
    for (ours, other, limit) in FIRST_CHOICE {
        let what = format!("first choice: {} / {}", ours.title(), other.title());
        add_ratio(goals, what, limit, loads, (ours, choice), (other, choice));
    }
    for (ours, other, limit) in READY {
        let (ready, first) = (ours.title(), other.title());
        let what = format!("ready to submit: {ready} / first choice: {first}");
        add_ratio(goals, what, limit, loads, (ours, submit), (other, choice));
    }
    for (variant, limit) in KILOBYTES {
        let what = format!("brotli before the first choice: {}", variant.title());
        let kilobytes = values(loads, variant, |load| Some(load.bytes / 1000.0));
        add(goals, what, Goal(limit, " KB", Judge::Median), kilobytes);
    }
    for variant in TAKEN_OVER {
        for (what, goal, read) in OF_TAKEN_OVER {
            let what = format!("{what}: {}", variant.title());
            add(goals, what, goal, values(loads, variant, read));
        }
    }
    let work: Read = |load| Some(load.work);
    let (ours, other) = ((Variant::Tender, work), (Variant::Adyen, work));
    add_ratio(
        goals,
        "main-thread time: Tender / Adyen",
        0.4,
        loads,
        ours,
        other,
    );
    let memory = |load: &Load| Some(load.memory.total() / 1e6);
    add(
        goals,
        "heap and WebAssembly memory",
        Goal(3.0, " MB", Judge::Median),
        values(loads, Variant::Tender, memory),
    );
}

/// Adds the goals of the tasks.
pub(super) fn add_tasks(goals: &mut Goals, tasks: &Tasks) {
    let ratio = |limit| Goal(limit, "", Judge::Median);
    let growth = tasks.growth_of_listing();
    add(
        goals,
        "first choice: 2,000 records / 8",
        ratio(1.3),
        Some(growth),
    );
    for variant in TAKEN_OVER {
        let Some(presses) = tasks.presses.get(&variant) else {
            continue;
        };
        let what = format!("from submit to amount: {}", variant.title());
        let goal = Goal(f64::from(ROUND_TRIP) + 50.0, " ms", Judge::Median);
        add(goals, what, goal, Some(figures(&presses.ready)));
        let what = format!("slowest press to next frame: {}", variant.title());
        let goal = Goal(200.0, " ms", Judge::Largest);
        add(goals, what, goal, Some(figures(&presses.slowest)));
    }
    for (mounts, browser) in [
        (&tasks.mounts, ""),
        (&tasks.mounts_interpreted, ", without JIT"),
    ] {
        if let (Some(first), Some(last)) = (mounts.first(), mounts.last()) {
            // If a page leaks memory, the ratio approaches ten.
            let what = format!("memory after 1,000 mounts and removals / after 100{browser}");
            add(goals, what, ratio(1.05), Some(figures(&[last / first])));
        }
    }
}

/// Adds a goal for the ratio of two variants' values in the same round, if both were measured.
fn add_ratio(
    goals: &mut Goals,
    what: impl fmt::Display,
    limit: f64,
    loads: &Loads,
    (ours, read_ours): (Variant, Read),
    (other, read_other): (Variant, Read),
) {
    let ours: Option<Vec<f64>> = values(loads, ours, read_ours);
    let other: Option<Vec<f64>> = values(loads, other, read_other);
    let reached = ours.zip(other).map(|(ours, other)| ratios(&ours, &other));
    add(goals, what, Goal(limit, "", Judge::Median), reached);
}

/// Adds a goal, unless it was not measured.
fn add(
    goals: &mut Goals,
    what: impl fmt::Display,
    Goal(limit, unit, judged_by): Goal,
    reached: Option<Figures>,
) {
    let Some(reached) = reached else {
        return;
    };
    let places = match (unit.is_empty(), limit > 0.0) {
        (true, true) => 2,
        // What must be zero is small.
        (true, false) => 4,
        (false, _) => 1,
    };
    let (scope, judged) = match judged_by {
        Judge::Median => ("", reached.median()),
        Judge::Largest => (" in each round", reached.largest()),
    };
    let goal = format!("{limit}{unit}{scope}");
    let shown = format!("{reached:.places$}");
    goals.add(what, goal, shown, judged <= limit);
}

/// The values of a variant, if it was measured and has them.
fn values<T: FromIterator<f64>>(loads: &Loads, variant: Variant, read: Read) -> Option<T> {
    loads.get(&variant)?.iter().map(read).collect()
}

fn figures(values: &[f64]) -> Figures {
    values.iter().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(limit: f64, judged_by: Judge, reached: [f64; 3], row: &str) {
        let mut goals = Goals::default();
        let goal = Goal(limit, "", judged_by);
        add(&mut goals, "tasks", goal, Some(figures(&reached)));
        assert_eq!(goals.to_string().lines().last(), Some(row));
    }

    #[test]
    fn a_goal_is_judged_by_the_median_or_by_each_round() {
        let reached = [0.9, 1.04, 1.2];
        let met = "| tasks | 1.04 | 1.04 (0.90 to 1.20) | met |";
        check(1.04, Judge::Median, reached, met);
        let missed = "| tasks | 1.04 in each round | 1.04 (0.90 to 1.20) | missed |";
        check(1.04, Judge::Largest, reached, missed);
    }

    #[test]
    fn the_smallest_layout_shift_is_shown_and_misses_the_goal() {
        let missed = "| tasks | 0 in each round | 0.0000 (0.0000 to 0.0004) | missed |";
        check(0.0, Judge::Largest, [0.0, 0.0, 0.0004], missed);
    }
}
