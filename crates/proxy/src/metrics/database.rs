//! How long jobs in the database take.

use std::time::Instant;

use prometheus_client::metrics::histogram::Histogram;

use super::{Metrics, Operation, histogram};

/// The times of reads and of transactions, in seconds. The default is in no registry.
#[derive(Clone)]
pub(crate) struct DatabaseLatency {
    read: Histogram,
    transaction: Histogram,
}

/// Observes the time until it is dropped. A job counts also if it fails, or if the
/// request that it is for has ended before it.
pub(crate) struct Timer<'a> {
    histogram: &'a Histogram,
    begun: Instant,
}

impl Metrics {
    /// The metrics of the database.
    pub(crate) fn database(&self) -> DatabaseLatency {
        let of = |operation| {
            let labels = Operation { operation };
            self.database_duration_seconds
                .get_or_create(&labels)
                .clone()
        };
        DatabaseLatency {
            read: of("read"),
            transaction: of("transaction"),
        }
    }
}

impl DatabaseLatency {
    pub(crate) fn read(&self) -> Timer<'_> {
        Timer::new(&self.read)
    }

    pub(crate) fn transaction(&self) -> Timer<'_> {
        Timer::new(&self.transaction)
    }
}

impl Default for DatabaseLatency {
    fn default() -> Self {
        Self {
            read: histogram(),
            transaction: histogram(),
        }
    }
}

impl<'a> Timer<'a> {
    fn new(histogram: &'a Histogram) -> Self {
        let begun = Instant::now();
        Self { histogram, begun }
    }
}

impl Drop for Timer<'_> {
    fn drop(&mut self) {
        self.histogram.observe(self.begun.elapsed().as_secs_f64());
    }
}
