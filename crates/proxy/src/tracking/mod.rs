//! Following payments: the latest record of each, and a stream of its changes for whoever watches it.
//!
//! ```text
//! create ----> store <---- poller <---- the service's list
//!                |            |
//!                v            v
//!              latest        hub ----> a stream for each watcher
//! ```
//!
//! The service tells nobody of a changed status, so that its list is read: by one instance at a time,
//! so many pages an interval, however many watch. What changed is written down under ascending
//! numbers; every instance reads on from the last number that it knows, and tells its own watchers. A
//! status is never interpreted: a change is a record that reads otherwise than the one before.

mod cycle;
mod event;
mod hub;
mod inbox;
mod jitter;
mod merchants;
mod pages;
mod poller;
mod statements;
mod store;
mod stream;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::event::Event;
use self::hub::Hub;
#[cfg(test)]
pub(crate) use self::inbox::invoice_number;
use self::merchants::MerchantInterest;
pub(crate) use self::merchants::Notifications;
use self::poller::{Poller, min_interval};
use self::store::Store;
pub(crate) use self::store::add_payment;
use crate::config::Config;
use crate::database::{self, Database};
use crate::error::Error;
use crate::metrics::Metrics;
use crate::service::Service;

/// What is known of payments, and who watches them.
pub(crate) struct Tracking {
    store: Store,
    hub: Arc<Hub>,
    poll_requested: Arc<Notify>,
    interval: Duration,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Tracking {
    /// Begins to read the service's list, where there is a reason to.
    pub(crate) async fn start(
        config: &Config,
        service: Arc<Service>,
        database: Database,
        metrics: &Metrics,
    ) -> database::Result<Self> {
        let store = Store { database };
        let tracking = Self {
            hub: Arc::new(Hub::new(config.max_streams, metrics.clone())),
            poll_requested: Arc::default(),
            interval: config.poll_interval,
            stop: CancellationToken::new(),
            tasks: TaskTracker::new(),
            store: store.clone(),
        };
        let poller = Poller {
            published_until: store.poll_state().await?.watermark().last_event,
            merchant_interest: MerchantInterest::default(),
            metrics: metrics.clone(),
            service,
            store,
            hub: Arc::clone(&tracking.hub),
            poll_requested: Arc::clone(&tracking.poll_requested),
            stop: tracking.stop.clone(),
            interval: config.poll_interval,
            pages: config.poll_pages,
            call: config.upstream_timeout,
        };
        tracking.tasks.spawn(poller.run());
        Ok(tracking)
    }

    /// The latest record of a payment, as the service wrote it.
    pub(crate) async fn latest(&self, transaction_id: &str) -> Result<String, Error> {
        let latest = self.store.latest(transaction_id).await?;
        let latest = latest.ok_or(Error::PaymentUnknown)?;
        self.hub.viewed(transaction_id);
        Ok(latest.record)
    }

    /// A stream of the records of a payment: the latest, then each that comes. One who knows an event
    /// already gets those after it.
    pub(crate) async fn watch(
        &self,
        transaction_id: &str,
        known: Option<i64>,
    ) -> Result<Body, Error> {
        // First of all, so that nothing that comes now is missed.
        let watcher = self.hub.watch(transaction_id);
        let watcher = watcher.map_err(|hub::Full| Error::StreamsFull)?;
        let latest = self.store.latest(transaction_id).await?;
        let latest = latest.ok_or(Error::PaymentUnknown)?;
        // An event that never was is none that is known.
        let known = known.filter(|known| (0..=latest.id).contains(known));
        let mut first = Vec::new();
        if known != Some(latest.id) {
            if let Some(known) = known {
                let changes = self.store.changes_of(transaction_id, known).await?;
                first.extend(changes.iter().map(Event::from));
            }
            // Changes are not kept for ever.
            if first.last().is_none_or(|last| last.id < latest.id) {
                first.push(Event::from(&latest));
            }
        }
        let last = first.last().map_or(latest.id, |event| event.id);
        Ok(stream::body(watcher, &first, last))
    }

    /// Has the service's list read soon, and a payment looked for in it.
    pub(crate) async fn poll_soon(&self, transaction_id: Option<&str>) {
        if let Some(transaction_id) = transaction_id {
            self.hub.viewed(transaction_id);
        }
        if let Err(error) = self.store.request_cycle(min_interval(self.interval)).await {
            tracing::warn!(%error, "can't ask for a look at the service's list");
        }
        self.poll_requested.notify_one();
    }

    /// Takes a notification of the service.
    pub(crate) async fn notified(&self, body: &[u8]) -> Result<(), Error> {
        if self.store.receive(body).await? {
            tracing::info!("notified");
            if let Err(error) = self.store.count_notification().await {
                tracing::warn!(%error, "can't tell merchants of a notification");
            }
            self.poll_soon(None).await;
        }
        Ok(())
    }

    /// Ends every stream, and reads no more.
    pub(crate) fn close(&self) {
        self.stop.cancel();
        self.hub.close();
        self.tasks.close();
    }

    /// Waits for what was under way when it was closed.
    pub(crate) async fn finish(&self) {
        self.tasks.wait().await;
    }
}

impl Drop for Tracking {
    fn drop(&mut self) {
        self.close();
    }
}
