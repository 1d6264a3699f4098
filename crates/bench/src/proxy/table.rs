//! The table of a task, and its goals.

use std::fmt;

use super::contender::Contender;
use super::load::Report;
use super::task::{Goal, Task};
use crate::figures::{Figures, Goals};

/// The share of what the service itself answers at a rate that counts as sustained. The load generator sends fewer than
/// the rate, because it pauses for whole milliseconds.
const SUSTAINED: f64 = 0.95;

/// The measurements of a task.
pub(super) struct Table<'a> {
    pub(super) task: &'a Task,
    pub(super) rows: Vec<Row>,
}

/// The measurements of one contender.
#[derive(Default)]
pub(super) struct Row {
    pub(super) contender: Contender,
    /// Requests per second, as many as possible.
    throughput: Figures,
    /// Processor time of a request under that load, in microseconds.
    processor_time: Figures,
    /// Requests per second at the task's rate.
    reached: Figures,
    /// Latencies at that rate, in milliseconds.
    p50: Figures,
    p99: Figures,
}

impl Row {
    pub(super) fn new(contender: Contender) -> Self {
        Self {
            contender,
            ..Self::default()
        }
    }

    /// Adds a round at this rate, in which the contender took this processor time, in seconds.
    pub(super) fn add(&mut self, rate: Option<f64>, report: &Report, time: f64) {
        if rate.is_none() {
            self.throughput.add(report.requests_per_second());
            self.processor_time.add(time * 1e6 / report.requests);
        } else {
            self.reached.add(report.requests_per_second());
            self.p50.add(report.p50);
            self.p99.add(report.p99);
        }
    }
}

impl Table<'_> {
    fn row(&self, contender: Contender) -> Option<&Row> {
        self.rows.iter().find(|row| row.contender == contender)
    }

    /// Compares the proxy with the goals of the task.
    pub(super) fn add_goals(&self, goals: &mut Goals) {
        let Some(ours) = self.row(Contender::Tender) else {
            return;
        };
        let Task { name, rate, .. } = self.task;
        for (ours, other) in [
            (Contender::Tender, Contender::Other),
            (Contender::TenderPostgres, Contender::OtherPostgres),
        ] {
            let (Some(ours), Some(other)) = (self.row(ours), self.row(other)) else {
                continue;
            };
            let throughput = ours.throughput.median() / other.throughput.median();
            let p99 = ours.p99.median() / other.p99.median();
            for (figure, goal, ratio, is_met) in [
                ("throughput", "at least 0.9", throughput, throughput >= 0.9),
                ("p99", "at most 1.1", p99, p99 <= 1.1),
            ] {
                let beside = other.contender.name();
                let figure = format!("{name}: {figure}, beside {beside}");
                goals.add(figure, goal, format!("{ratio:.2}"), is_met);
            }
        }
        if self.row(Contender::Other).is_some() {
            return;
        }
        for goal in self.task.goals {
            match *goal {
                Goal::P99(limit) => {
                    let service = self.row(Contender::Nothing);
                    let least =
                        service.map_or(*rate, |service| service.reached.median()) * SUSTAINED;
                    goals.add(
                        format!("{name}: requests/s at a rate of {rate}"),
                        format!("{least:.0}, which is {SUSTAINED} of the service itself"),
                        format!("{:.0}", ours.reached),
                        ours.reached.median() >= least,
                    );
                    goals.add(
                        format!("{name}: p99 at this rate"),
                        format!("{limit} ms"),
                        format!("{:.2}", ours.p99),
                        ours.p99.median() <= limit,
                    );
                }
                Goal::Above(other) => {
                    let theirs = self.row(other).map(|row| row.throughput.median());
                    let ratio = ours.throughput.median() / theirs.unwrap_or_default();
                    goals.add(
                        format!("{name}: throughput beside {}", other.name()),
                        "above 1",
                        format!("{ratio:.2}"),
                        ratio > 1.0,
                    );
                }
                Goal::ProcessorTime(limit) => goals.add(
                    format!("{name}: processor time"),
                    format!("below {limit} microseconds"),
                    format!("{:.0}", ours.processor_time.median()),
                    ours.processor_time.median() < limit,
                ),
            }
        }
    }
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Task { title, rate, .. } = self.task;
        let nginx = self.row(Contender::Nginx);
        writeln!(
            formatter,
            "\n### {title}\n\n\
             | | requests/s | beside nginx | processor time, microseconds | requests/s of {rate}/s | p50 ms then | p99 ms then |\n\
             |---|--:|--:|--:|--:|--:|--:|"
        )?;
        for row in &self.rows {
            let ratio = nginx.map(|nginx| row.throughput.median() / nginx.throughput.median());
            writeln!(
                formatter,
                "| {} | {:.0} | {} | {:.0} | {:.0} | {:.2} | {:.2} |",
                row.contender.name(),
                row.throughput,
                ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}")),
                row.processor_time.median(),
                row.reached.median(),
                row.p50,
                row.p99
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::task::TASKS;
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
        let [.., task] = &TASKS;
        let mut goals = Goals::default();
        Table { task, rows }.add_goals(&mut goals);
        let text = goals.to_string();
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
