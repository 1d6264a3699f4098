//! Metrics of the notifications to the shop's backend.

use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::labels::{Outcome, State};
use super::{Timestamp, metrics};

metrics! {
    #[derive(Default)]
    OutboxMetrics {
        /// Notifications sent to the shop's backend, by outcome: delivered, failed (sent again later) or
        /// given-up
        notifications: Family<Outcome, Counter>,
        /// Notifications that are not delivered, by state: waiting or given-up, of all instances
        unsent_notifications: Family<State, Gauge>,
        /// When the oldest notification that waits was written, in seconds since 1970; 0 if none waits
        oldest_waiting_notification_timestamp_seconds: Timestamp,
    }
}

impl OutboxMetrics {
    /// Counts a notification that was sent.
    pub(crate) fn sent(&self, outcome: &'static str) {
        let notifications = self.notifications.get_or_create(&Outcome { outcome });
        notifications.inc();
    }

    /// Replaces the numbers of notifications that are not delivered. `oldest` is when the oldest that
    /// waits was written, since 1970.
    pub(crate) fn unsent(&self, waiting: i64, given_up: i64, oldest: Option<Duration>) {
        for (state, count) in [("waiting", waiting), ("given-up", given_up)] {
            let unsent = self.unsent_notifications.get_or_create(&State { state });
            unsent.set(count);
        }
        let oldest = oldest.unwrap_or_default().as_secs_f64();
        self.oldest_waiting_notification_timestamp_seconds
            .set(oldest);
    }
}
