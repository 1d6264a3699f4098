//! Compares the measurements with the goals of the proxy.
//!
//! A rate counts as sustained if the proxy answers nearly as many requests as the service itself under the same load in the
//! same run. The load generator sends fewer than the rate, because it pauses for whole milliseconds.

use std::fmt::Write as _;

use super::table::Table;
use crate::contender::{Contender, Task};

/// The share of what the service itself answers at a rate that counts as sustained.
const SUSTAINED: f64 = 0.95;

/// The longest processor time of a form, in microseconds.
const FORM: f64 = 100.0;

/// The goals as a Markdown table.
pub(super) fn compare(tables: &[Table]) -> String {
    let mut text = "\n### The goals\n\n| | goal | reached | |\n|---|--:|--:|---|\n".to_owned();
    let mut add = |what: &str, goal: String, reached: String, is_met: bool| {
        let verdict = if is_met { "met" } else { "missed" };
        // Writing to a string can't fail.
        let _ = writeln!(text, "| {what} | {goal} | {reached} | {verdict} |");
    };
    for table in tables {
        let Some(ours) = table.row(Contender::Tender) else {
            continue;
        };
        let (name, rate) = (table.task.name(), table.task.rate());
        if let Some(limit) = table.task.p99_limit() {
            let service = table.row(Contender::Nothing);
            let least = service.map_or(rate, |service| service.reached.median()) * SUSTAINED;
            add(
                &format!("{name}: requests/s at a rate of {rate}"),
                format!("{least:.0}, which is {SUSTAINED} of the service itself"),
                format!("{:.0}", ours.reached),
                ours.reached.median() >= least,
            );
            add(
                &format!("{name}: p99 at this rate"),
                format!("{limit} ms"),
                format!("{:.2}", ours.p99),
                ours.p99.median() <= limit,
            );
        }
        for peer in [Contender::NodeInMemory, Contender::NodeDurable] {
            if let (Task::Tokens, Some(theirs)) = (table.task, table.row(peer)) {
                let ratio = ours.throughput.median() / theirs.throughput.median();
                add(
                    &format!("{name}: throughput beside {}", peer.name()),
                    "above 1".to_owned(),
                    format!("{ratio:.2}"),
                    ratio > 1.0,
                );
            }
        }
        if matches!(table.task, Task::KeptForm | Task::NewForm) {
            let microseconds = ours.processor_time.median() * 1e6;
            add(
                &format!("{name}: processor time"),
                format!("below {FORM} microseconds"),
                format!("{microseconds:.0}"),
                microseconds < FORM,
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::table::Row;
    use super::*;

    /// Whether a rate is sustained if the service itself and the proxy reach these.
    fn is_sustained(service: f64, proxy: f64) -> bool {
        let row = |contender, reached| {
            let mut row = Row::new(contender);
            row.reached.add(reached);
            row
        };
        let rows = vec![
            row(Contender::Nothing, service),
            row(Contender::Tender, proxy),
        ];
        let text = compare(&[Table {
            task: Task::Create,
            rows,
        }]);
        let line = text.lines().find(|line| line.contains("at a rate of"));
        line.unwrap().ends_with("| met |")
    }

    #[test]
    fn a_rate_is_compared_with_what_the_service_itself_reaches() {
        assert!(is_sustained(889.0, 862.0));
        assert!(!is_sustained(889.0, 840.0));
        assert!(!is_sustained(1000.0, 940.0));
    }
}
