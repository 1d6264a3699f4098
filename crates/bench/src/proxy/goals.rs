//! Compares the measurements with the goals of the proxy.

use std::fmt::Write as _;

use super::table::Table;
use crate::contender::{Contender, Task};

/// The share of a rate that counts as sustained. The load generator rounds its pauses to milliseconds.
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
            add(
                &format!("{name}: requests/s"),
                format!("{rate}"),
                format!("{:.0}", ours.reached),
                ours.reached.median() >= rate * SUSTAINED,
            );
            add(
                &format!("{name}: p99 at this rate"),
                format!("{limit} ms"),
                format!("{:.2}", ours.p99),
                ours.p99.median() <= limit,
            );
        }
        for peer in [Contender::NodeInMemory, Contender::NodeDurable] {
            if let Some(theirs) = table.row(peer) {
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
