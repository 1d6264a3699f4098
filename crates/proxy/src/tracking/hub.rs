//! The event streams of this instance.
//!
//! A watched payment has one channel and one copy of each event, however many clients watch it. No
//! client causes requests or polls of its own.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::event::Event;
use super::merchants::MerchantHub;
use crate::metrics::Metrics;

/// How many events of a payment a client can lag behind. A slower client gets only the latest ones,
/// which are sufficient.
const RECENT: usize = 16;

/// Maximum size of [`Watched::viewed`].
const MAX_VIEWED: usize = 10_000;

/// All event streams of this instance.
pub(super) struct Hub {
    watched: Mutex<Watched>,
    /// The streams of merchants, which cover all payments.
    pub(super) merchants: MerchantHub,
    metrics: Metrics,
}

#[derive(Default)]
struct Watched {
    payments: HashMap<Arc<str>, Channel>,
    /// Payments that a client has fetched without a stream. The poller has yet to store this interest
    /// in the database.
    viewed: HashSet<Arc<str>>,
    closed: bool,
}

struct Channel {
    recent: watch::Sender<VecDeque<Event>>,
    /// When the database was last informed that the payment is watched.
    interest_saved_at: Option<Instant>,
}

/// The proxy is stopping.
#[derive(Debug)]
pub(super) struct Closed;

/// An open stream. Dropping it ends the stream.
pub(super) struct Slot(Arc<Hub>);

/// A stream's subscription to a payment. Dropping it unsubscribes.
pub(super) struct Watcher {
    slot: Slot,
    transaction_id: Arc<str>,
    /// `None` only during `drop`.
    recent: Option<watch::Receiver<VecDeque<Event>>>,
}

impl Hub {
    pub(super) fn new(metrics: Metrics) -> Self {
        Self {
            watched: Mutex::default(),
            merchants: MerchantHub::new(),
            metrics,
        }
    }

    /// Counts a stream, unless the hub is closed.
    pub(super) fn slot(self: &Arc<Self>) -> Result<Slot, Closed> {
        if self.lock().closed {
            return Err(Closed);
        }
        self.metrics.streams.inc();
        Ok(Slot(Arc::clone(self)))
    }

    pub(super) fn watch(self: &Arc<Self>, transaction_id: &str) -> Result<Watcher, Closed> {
        let slot = self.slot()?;
        let mut watched = self.lock();
        if watched.closed {
            drop(watched);
            return Err(Closed);
        }
        let (transaction_id, recent) = watched.subscribe(transaction_id);
        self.count(&watched);
        Ok(Watcher {
            slot,
            transaction_id,
            recent: Some(recent),
        })
    }

    /// Sends an event to all subscribers of a payment.
    pub(super) fn publish(&self, transaction_id: &str, event: impl FnOnce() -> Event) {
        let watched = self.lock();
        let Some(channel) = watched.payments.get(transaction_id) else {
            return;
        };
        channel.recent.send_modify(|recent| {
            if recent.len() == RECENT {
                recent.pop_front();
            }
            recent.push_back(event());
        });
    }

    /// Notes that a client has fetched a payment and may fetch it again.
    pub(super) fn viewed(&self, transaction_id: &str) {
        let mut watched = self.lock();
        if watched.viewed.len() < MAX_VIEWED {
            watched.viewed.insert(Arc::from(transaction_id));
        }
    }

    /// Returns up to `count` payments whose interest was not saved yet, or was saved at least
    /// `max_age` ago.
    pub(super) fn interest_due(&self, count: usize, max_age: Duration) -> Vec<Arc<str>> {
        let mut watched = self.lock();
        let mut due: Vec<_> = watched.viewed.iter().take(count).cloned().collect();
        for id in &due {
            watched.viewed.remove(id);
        }
        let now = Instant::now();
        let is_old = |saved: Option<Instant>| saved.is_none_or(|saved| now - saved >= max_age);
        let room = count - due.len();
        let payments = watched.payments.iter_mut();
        let old = payments.filter(|(_, channel)| is_old(channel.interest_saved_at));
        due.extend(old.take(room).map(|(id, channel)| {
            channel.interest_saved_at = Some(now);
            Arc::clone(id)
        }));
        due
    }

    /// Notes that the database could not be informed about these payments.
    pub(super) fn interest_not_saved(&self, ids: &[Arc<str>]) {
        let mut watched = self.lock();
        for id in ids {
            if let Some(channel) = watched.payments.get_mut(id) {
                channel.interest_saved_at = None;
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().payments.is_empty()
    }

    /// Ends all streams and refuses new ones.
    pub(super) fn close(&self) {
        let mut watched = self.lock();
        watched.closed = true;
        // Dropping the senders ends the receivers.
        watched.payments.clear();
        self.count(&watched);
        self.merchants.close();
    }

    fn count(&self, watched: &Watched) {
        let payments = i64::try_from(watched.payments.len()).unwrap_or(i64::MAX);
        self.metrics.watched_payments.set(payments);
    }

    fn lock(&self) -> MutexGuard<'_, Watched> {
        // Every change is atomic, so the data is valid even after a panic.
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watched {
    fn subscribe(&mut self, transaction_id: &str) -> (Arc<str>, watch::Receiver<VecDeque<Event>>) {
        if let Some((id, channel)) = self.payments.get_key_value(transaction_id) {
            return (Arc::clone(id), channel.recent.subscribe());
        }
        let id = Arc::<str>::from(transaction_id);
        let (sender, receiver) = watch::channel(VecDeque::new());
        let channel = Channel {
            recent: sender,
            interest_saved_at: None,
        };
        self.payments.insert(Arc::clone(&id), channel);
        (id, receiver)
    }
}

impl Watcher {
    /// Waits for events after `last`; `None` when the stream ends.
    pub(super) async fn after(&mut self, last: i64) -> Option<Vec<Event>> {
        let recent = self.recent.as_mut()?;
        loop {
            recent.changed().await.ok()?;
            let new = recent.borrow_and_update();
            let new: Vec<_> = new
                .iter()
                .filter(|event| event.id > last)
                .cloned()
                .collect();
            if !new.is_empty() {
                return Some(new);
            }
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.metrics.streams.dec();
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let mut watched = self.slot.0.lock();
        self.recent = None;
        let channel = watched.payments.get(&self.transaction_id);
        if channel.is_some_and(|channel| channel.recent.receiver_count() == 0) {
            watched.payments.remove(&self.transaction_id);
            self.slot.0.count(&watched);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(id: i64) -> Event {
        Event::new("status", id, "{}")
    }

    fn ids(events: Option<Vec<Event>>) -> Vec<i64> {
        let events = events.into_iter().flatten();
        events.map(|event| event.id).collect()
    }

    #[tokio::test]
    async fn every_subscriber_gets_an_event_once() {
        let hub = Arc::new(Hub::new(Metrics::new()));
        let mut first = hub.watch("a").unwrap();
        let mut second = hub.watch("a").unwrap();
        let mut other = hub.watch("b").unwrap();
        for id in 1..=2 {
            hub.publish("a", || event(id));
        }
        hub.publish("b", || event(3));
        assert_eq!(ids(first.after(0).await), [1, 2]);
        // The second subscriber has read the first event from the database.
        assert_eq!(ids(second.after(1).await), [2]);
        assert_eq!(ids(other.after(0).await), [3]);
        hub.publish("a", || event(4));
        assert_eq!(ids(first.after(2).await), [4]);
    }

    #[tokio::test]
    async fn a_slow_subscriber_gets_the_latest_events() {
        let hub = Arc::new(Hub::new(Metrics::new()));
        let mut watcher = hub.watch("a").unwrap();
        for id in 1..=40 {
            hub.publish("a", || event(id));
        }
        let received = ids(watcher.after(0).await);
        assert_eq!((received.len(), received.last()), (RECENT, Some(&40)));
    }

    #[tokio::test]
    async fn unwatched_payments_have_no_channel() {
        let hub = Arc::new(Hub::new(Metrics::new()));
        let watchers = [hub.watch("a").unwrap(), hub.watch("a").unwrap()];
        for watcher in watchers {
            assert!(!hub.is_empty());
            drop(watcher);
        }
        assert!(hub.is_empty());
        hub.watch("b").unwrap();
    }

    #[tokio::test]
    async fn closing_ends_all_streams() {
        let hub = Arc::new(Hub::new(Metrics::new()));
        let mut watcher = hub.watch("a").unwrap();
        hub.close();
        assert!(watcher.after(0).await.is_none());
        hub.watch("a").err().unwrap();
    }

    #[tokio::test]
    async fn interest_is_renewed_periodically() {
        let hub = Arc::new(Hub::new(Metrics::new()));
        let _watchers = [hub.watch("a").unwrap(), hub.watch("b").unwrap()];
        hub.viewed("c");
        let hour = Duration::from_hours(1);
        let first = hub.interest_due(2, hour);
        assert_eq!(first.len(), 2);
        assert_eq!(hub.interest_due(2, hour).len(), 1);
        assert!(hub.interest_due(2, hour).is_empty());
        assert_eq!(hub.interest_due(9, Duration::ZERO).len(), 2);
        hub.interest_not_saved(&[Arc::from("a")]);
        assert_eq!(hub.interest_due(2, hour), [Arc::from("a")]);
    }
}
