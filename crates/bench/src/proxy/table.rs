//! The table of a task.

use std::fmt;

use crate::contender::{Contender, Task};
use crate::figures::Figures;

/// The measurements of a task.
pub(super) struct Table {
    pub(super) task: Task,
    pub(super) rows: Vec<Row>,
}

/// The measurements of one contender.
pub(super) struct Row {
    pub(super) contender: Contender,
    /// Requests per second, as many as possible.
    pub(super) throughput: Figures,
    /// Processor time of a request under that load, in seconds.
    pub(super) processor_time: Figures,
    /// Requests per second at the task's rate.
    pub(super) reached: Figures,
    /// Latencies at that rate, in milliseconds.
    pub(super) p50: Figures,
    pub(super) p99: Figures,
}

impl Row {
    pub(super) fn new(contender: Contender) -> Self {
        Self {
            contender,
            throughput: Figures::default(),
            processor_time: Figures::default(),
            reached: Figures::default(),
            p50: Figures::default(),
            p99: Figures::default(),
        }
    }
}

impl Table {
    pub(super) fn row(&self, contender: Contender) -> Option<&Row> {
        self.rows.iter().find(|row| row.contender == contender)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = self.task.rate();
        let nginx = self.row(Contender::Nginx);
        let title = match self.task {
            Task::Tokens => "Token listing, cached where there is a cache",
            Task::KeptForm => "Form as HTML, from the cache",
            Task::NewForm => {
                "Form as HTML, rendered from the cached listing for another amount each time"
            }
            Task::Create => "Create, each order once",
        };
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
                row.processor_time.median() * 1e6,
                row.reached.median(),
                row.p50,
                row.p99
            )?;
        }
        Ok(())
    }
}
