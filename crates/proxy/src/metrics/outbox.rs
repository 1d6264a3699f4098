//! Metrics of the notifications to the shop's backend.

use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::labels::{Outcome, State};
use super::{Timestamp, add};

#[derive(Clone)]
pub(crate) struct OutboxMetrics {
    sent: Family<Outcome, Counter>,
    unsent: Family<State, Gauge>,
    oldest: Timestamp,
}

impl OutboxMetrics {
    pub(super) fn new(to: &mut Registry) -> Self {
        Self {
            sent: add(
                to,
                "notifications",
                "Notifications sent to the shop's backend, by outcome: delivered, failed (sent again later) or given-up",
            ),
            unsent: add(
                to,
                "unsent_notifications",
                "Notifications that are not delivered, by state: waiting or given-up, of all instances",
            ),
            oldest: add(
                to,
                "oldest_waiting_notification_timestamp_seconds",
                "When the oldest notification that waits was written, in seconds since 1970; 0 if none waits",
            ),
        }
    }

    /// Counts a notification that was sent.
    pub(crate) fn sent(&self, outcome: &'static str) {
        self.sent.get_or_create(&Outcome { outcome }).inc();
    }

    /// Replaces the numbers of notifications that are not delivered. `oldest` is when the oldest that
    /// waits was written, since 1970.
    pub(crate) fn unsent(&self, waiting: i64, given_up: i64, oldest: Option<Duration>) {
        for (state, count) in [("waiting", waiting), ("given-up", given_up)] {
            self.unsent.get_or_create(&State { state }).set(count);
        }
        self.oldest.set(oldest.unwrap_or_default().as_secs_f64());
    }
}
