//! The number of open event streams.

use crate::metrics::Metrics;

/// An open stream, which is counted until it is dropped.
pub(super) struct OpenStream(Metrics);

impl OpenStream {
    pub(super) fn new(metrics: &Metrics) -> Self {
        metrics.open_streams.inc();
        Self(metrics.clone())
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.open_streams.dec();
    }
}
