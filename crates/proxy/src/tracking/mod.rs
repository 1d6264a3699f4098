//! Status tracking: the latest record of each payment, and event streams of its changes.
//!
//! ```text
//! create ----> store <---- poller <---- the service's list
//!                |            |
//!                v            v
//!              latest        hub ----> event streams
//! ```
//!
//! The service does not announce status changes, so its list is polled while there is interest in a
//! payment (it is new, a stream is open, or a client has fetched it recently) or a merchant's stream
//! is open. The instances save their interest in the database, as a time until which a payment is
//! wanted.
//!
//! One instance at a time reads a limited number of pages per interval, however many clients watch.
//! Changes are stored with ascending ids. Every instance reads the changes after the last id it
//! knows and publishes them to its own streams. Any difference between two records of a payment is a
//! change. Whatever is handed out has the payment's [state](crate::statuses).

mod cycle;
mod hub;
mod pages;
mod poller;
mod stream;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use axum::response::sse;
use futures_util::Stream;
use moka::future::Cache;
use tender_ledger::transaction_id;
use tender_protocol::event::STATUS;
use tender_protocol::record::map_elements;
use tender_protocol::{ProblemCode, Record};
use tokio::sync::Notify;

use self::hub::{Hub, Scope, Subscription};
use self::poller::{INTEREST_TTL, Poller, min_interval};
use self::stream::EventStream;
use crate::error::Error;
use crate::recent::Recent;
use crate::shared::Shared;
use crate::statuses::Viewer;
use crate::store::database;
use crate::store::payments::StoredEvent;

/// How long a record that is not polled may be handed out without another read of the list.
const VALID: Duration = Duration::from_mins(1);

/// Tracks payments and serves their event streams.
#[derive(Clone)]
pub(crate) struct Tracking {
    shared: Arc<Shared>,
    hub: Arc<Hub>,
    /// The payments whose stored records the service has confirmed within [`VALID`], as far as this instance knows.
    confirmed: Recent<()>,
    /// The payments that are being read.
    confirming: Cache<String, bool>,
    /// Wakes the poller for a requested cycle.
    poll_requested: Arc<Notify>,
}

impl Tracking {
    fn new(shared: &Arc<Shared>) -> Self {
        Self {
            shared: Arc::clone(shared),
            hub: Arc::new(Hub::new(shared.metrics.clone())),
            confirmed: Recent::new(VALID),
            confirming: Cache::builder().time_to_live(VALID).build(),
            poll_requested: Arc::default(),
        }
    }

    pub(crate) async fn start(shared: &Arc<Shared>) -> database::Result<Self> {
        let tracking = Self::new(shared);
        let state = shared.store.poll_state().await?;
        let poller = Poller {
            tracking: tracking.clone(),
            published: state.last_event,
            state,
            is_unread: false,
            applied: None,
            commits: shared.store.database.commits(),
        };
        let pruning = shared.store.clone().prune_until(shared.stop.clone());
        shared.tasks.spawn(pruning);
        shared.tasks.spawn(poller.run());
        Ok(tracking)
    }

    /// Notes that statuses may mean something else now.
    pub(crate) fn mapping_replaced(&self) {
        self.hub.notify();
    }

    /// The latest record of a payment, as the service wrote it, with its state.
    pub(crate) async fn latest(
        &self,
        transaction_id: &str,
        viewer: Viewer,
    ) -> Result<String, Error> {
        let Shared {
            store, statuses, ..
        } = &*self.shared;
        let latest = store.latest_change(transaction_id).await?;
        let latest = latest.ok_or(ProblemCode::PaymentUnknown)?;
        self.hub.viewed(transaction_id);
        Ok(statuses.latest(&latest, viewer))
    }

    /// Adds to each record of a page the state of its payment, and the mark of test mode. Everything
    /// else stays as the service wrote it, also elements that are not records.
    ///
    /// # Errors
    /// If the database fails, and for a page that is not a JSON array.
    pub(crate) async fn with_states(&self, page: String) -> Result<String, Error> {
        let Shared {
            store, statuses, ..
        } = &*self.shared;
        let elements = Record::parse_array(&page, "a page of the list");
        let elements = elements.map_err(database::Error::unreadable)?;
        let ids = elements
            .iter()
            .map(|element| transaction_id(element.as_ref().ok()?));
        let ids: Vec<_> = ids.collect();
        let named: Vec<_> = ids.iter().flatten().map(String::as_str).collect();
        let known = store.known_payments(&named).await?;
        let facts = |id: &Option<String>| Some(known.get(id.as_ref()?)?.latest.facts);
        let mut facts = ids.iter().map(|id| facts(id).unwrap_or_default());
        let stated = map_elements(page, |element| {
            statuses.with_state(element, facts.next().unwrap_or_default())
        });
        Ok(stated.map_err(database::Error::unreadable)?)
    }

    /// Reads a payment, unless the service has confirmed its stored record recently. Requests that arrive meanwhile wait for the
    /// same read, which returns whether there was one. From now on the payment is polled for. Returns whether it was read.
    pub(crate) async fn confirm(
        &self,
        transaction_id: &str,
        read: impl Future<Output = bool>,
    ) -> bool {
        self.hub.viewed(transaction_id);
        if self.confirmed.get(transaction_id).is_some() {
            return false;
        }
        // On the heap, because each caller would hold a copy.
        let read = Box::pin(async {
            let was_read = read.await;
            if was_read {
                self.confirmed(transaction_id);
            }
            was_read
        });
        let was_read = self.confirming.get_with_by_ref(transaction_id, read).await;
        self.confirming.invalidate(transaction_id).await;
        was_read
    }

    /// Notes that the stored record of a payment was read from the service just now, or could not be
    /// read, so that it is not read again soon.
    pub(crate) fn confirmed(&self, transaction_id: &str) {
        self.confirmed.insert(transaction_id, ());
    }

    /// Opens an event stream of a payment: the latest record, then each change. A client that knows
    /// an event gets only the events after it.
    pub(crate) async fn watch(
        &self,
        transaction_id: &str,
        known: Option<i64>,
        viewer: Viewer,
    ) -> Result<impl Stream<Item = sse::Event> + use<>, Error> {
        let Shared {
            store, statuses, ..
        } = &*self.shared;
        // Must come first, so that no change is missed.
        let subscription = self.subscribe(Some(transaction_id.into()))?;
        let latest = store.latest_change(transaction_id).await?;
        let latest = latest.ok_or(ProblemCode::PaymentUnknown)?;
        let is_interpreted = statuses.is_interpreted(&latest.record, latest.facts);
        // Ignore an id that was never used.
        let known = known.filter(|known| (0..=latest.id).contains(known));
        let (mut first, mut last) = (Vec::new(), known.unwrap_or(-1));
        // The operator may have mapped the status since.
        if known != Some(latest.id) || is_interpreted {
            if let Some(known) = known {
                let changes = store.events(known, Some(transaction_id)).await?;
                last = changes.last().map_or(last, |last| last.change.id);
                let event = |event: &StoredEvent| statuses.event(STATUS, &event.change, viewer);
                first.extend(changes.iter().map(event));
            }
            // The changes may have been pruned.
            if first.is_empty() || last < latest.id {
                first.push(statuses.event(STATUS, &latest, viewer));
            }
        }
        let stream = EventStream {
            subscription,
            shared: Arc::clone(&self.shared),
            viewer,
            last: last.max(latest.id),
            is_behind: false,
        };
        Ok(stream.starting_with(first))
    }

    /// Opens an event stream of all payments: the id to reconnect with, then all events after the event `known`.
    pub(crate) async fn watch_all(
        &self,
        known: Option<i64>,
    ) -> Result<impl Stream<Item = sse::Event> + use<>, Error> {
        // Must come first, so that no event is missed.
        let subscription = self.subscribe(None)?;
        let store = &self.shared.store;
        // Comes before the interest, so that the stream has all that is announced because of it.
        let now = store.last_event().await?;
        // Payments that the merchant's next request for the list can't have are announced from now on.
        store.extend_merchant_interest(INTEREST_TTL).await?;
        // Ignore an id that was never used.
        let known = known.filter(|known| (0..=now).contains(known));
        // The poller now reads the list for this stream.
        self.poll_requested.notify_one();
        let stream = EventStream {
            subscription,
            shared: Arc::clone(&self.shared),
            viewer: Viewer::Merchant,
            last: known.unwrap_or(now),
            is_behind: known.is_some(),
        };
        let position = sse::Event::default().id(stream.last.to_string());
        Ok(stream.starting_with(vec![position]))
    }

    /// # Errors
    /// [`ProblemCode::StreamsFull`] while the proxy stops.
    fn subscribe(&self, scope: Scope) -> Result<Subscription, Error> {
        if self.shared.stop.is_cancelled() {
            return Err(ProblemCode::StreamsFull.into());
        }
        Ok(self.hub.subscribe(scope))
    }

    /// Requests a poll of the service's list, and notes interest in a payment.
    pub(crate) async fn poll_soon(&self, transaction_id: Option<&str>) {
        if let Some(transaction_id) = transaction_id {
            self.hub.viewed(transaction_id);
        }
        let min_interval = min_interval(self.shared.config.tracking.poll_interval);
        if let Err(error) = self.shared.store.request_cycle(min_interval).await {
            tracing::warn!(%error, "can't request a poll of the service's list");
        }
        self.poll_requested.notify_one();
    }

    /// Requests a poll because the service has notified the webhook.
    pub(crate) async fn notified(&self, body: &[u8]) -> Result<(), Error> {
        self.shared.store.store_notification(body).await?;
        self.poll_soon(None).await;
        Ok(())
    }
}
