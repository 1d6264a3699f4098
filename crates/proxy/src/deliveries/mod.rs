//! Notifications to the shop's backend: sends the events of the [outbox](crate::store::outbox) to
//! `notify_url`, as Standard Webhooks (<https://www.standardwebhooks.com>).
//!
//! An event is sent at least once, in the order of its payment's events, and with the same
//! `webhook-id` in each try. Whatever is answered is stored for the merchant.
//!
//! | file | contents |
//! |---|---|
//! | `deliverer` | the background task, which sends a limited number of events at the same time |
//! | `message` | the body and the signatures |
//! | `receiver` | the HTTP client |
//! | `schedule` | what an answer means, and when an event is sent again |

mod deliverer;
mod message;
mod receiver;
mod schedule;

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use tender_protocol::{Deliveries as List, Resend};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::deliverer::Deliverer;
use self::receiver::Receiver;
use crate::config::{Config, NotifySecret};
use crate::metrics::Metrics;
use crate::statuses::Statuses;
use crate::store::database::{self, Database};
use crate::store::outbox::{Filter, OutboxCounts, OutboxStore};

/// The secrets that sign notifications, which a reload replaces.
type Secrets = Arc<ArcSwap<Vec<NotifySecret>>>;

/// Sends events, and lists what became of them.
pub(crate) struct Deliveries {
    store: OutboxStore,
    secrets: Secrets,
    metrics: Metrics,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Deliveries {
    /// Starts to send events, if there is a receiver.
    ///
    /// # Errors
    /// TLS can't be set up.
    pub(crate) fn start(
        config: &Config,
        statuses: Arc<Statuses>,
        database: Database,
        metrics: &Metrics,
    ) -> Result<Self, reqwest::Error> {
        let secrets = config.notifications.secrets.clone();
        let deliveries = Self {
            store: OutboxStore { database },
            secrets: Arc::new(ArcSwap::from_pointee(secrets)),
            metrics: metrics.clone(),
            stop: CancellationToken::new(),
            tasks: TaskTracker::new(),
        };
        if let Some(url) = &config.notifications.url {
            let deliverer = Deliverer {
                receiver: Receiver::new(url.clone(), &config.notifications)?,
                timeout: config.notifications.timeout,
                store: deliveries.store.clone(),
                statuses,
                secrets: Arc::clone(&deliveries.secrets),
                metrics: metrics.clone(),
            };
            let sending = Arc::new(deliverer).run(deliveries.stop.clone());
            deliveries.tasks.spawn(sending);
        }
        Ok(deliveries)
    }

    /// Signs later notifications with these secrets.
    pub(crate) fn replace_secrets(&self, secrets: Vec<NotifySecret>) {
        self.secrets.store(Arc::new(secrets));
    }

    /// Deliveries, newest first.
    pub(crate) async fn list(&self, filter: Filter) -> database::Result<List> {
        self.store.list(filter).await
    }

    /// Sends events again. Returns how many.
    pub(crate) async fn resend(&self, which: Resend) -> database::Result<u64> {
        let mut count = self.store.resend(which.ids).await?;
        if which.given_up {
            count += self.store.resend_given_up().await?;
        }
        Ok(count)
    }

    /// Updates the metrics of the outbox.
    pub(crate) async fn count(&self) -> database::Result<()> {
        let OutboxCounts {
            waiting,
            given_up,
            oldest,
        } = self.store.counts().await?;
        let oldest = oldest.and_then(|oldest| u64::try_from(oldest).ok());
        let oldest = oldest.map(Duration::from_millis);
        self.metrics.unsent(waiting, given_up, oldest);
        Ok(())
    }

    /// Sends no further events.
    pub(crate) fn close(&self) {
        self.stop.cancel();
        self.tasks.close();
    }

    /// Waits for the events that were being sent when it was closed.
    pub(crate) async fn finish(&self) {
        self.tasks.wait().await;
    }
}

impl Drop for Deliveries {
    fn drop(&mut self) {
        self.close();
    }
}
