//! The event streams of this instance.
//!
//! A watched payment has one channel and one copy of each event, however many clients watch it. No
//! client causes requests or polls of its own.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::watch;

use super::Error;
use super::event::Event;
use super::merchants::MerchantHub;
use super::open_stream::OpenStream;
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

#[derive(Default)]
struct Channel {
    recent: watch::Sender<VecDeque<Event>>,
    /// When the database was last informed that the payment is watched.
    interest_saved_at: Option<Instant>,
}

/// A stream's subscription to a payment. Dropping it unsubscribes.
pub(super) struct Watcher {
    hub: Arc<Hub>,
    #[expect(dead_code, reason = "held for its drop")]
    stream: OpenStream,
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
    pub(super) fn stream(&self) -> Result<OpenStream, Error> {
        if self.watched.lock().closed {
            return Err(Error::StreamsFull);
        }
        Ok(OpenStream::new(&self.metrics))
    }

    pub(super) fn watch(self: &Arc<Self>, transaction_id: &str) -> Result<Watcher, Error> {
        let mut watched = self.watched.lock();
        if watched.closed {
            return Err(Error::StreamsFull);
        }
        let (transaction_id, recent) = watched.subscribe(transaction_id);
        self.count(&watched);
        Ok(Watcher {
            hub: Arc::clone(self),
            stream: OpenStream::new(&self.metrics),
            transaction_id,
            recent: Some(recent),
        })
    }

    /// Sends an event to all subscribers of a payment.
    pub(super) fn publish(&self, transaction_id: &str, event: impl FnOnce() -> Event) {
        let watched = self.watched.lock();
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
        let mut watched = self.watched.lock();
        if watched.viewed.len() < MAX_VIEWED {
            watched.viewed.insert(Arc::from(transaction_id));
        }
    }

    /// Returns up to `count` payments whose interest was not saved yet, or was saved at least
    /// `max_age` ago.
    pub(super) fn interest_due(&self, count: usize, max_age: Duration) -> Vec<Arc<str>> {
        let mut watched = self.watched.lock();
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
        let mut watched = self.watched.lock();
        for id in ids {
            if let Some(channel) = watched.payments.get_mut(id) {
                channel.interest_saved_at = None;
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.watched.lock().payments.is_empty()
    }

    /// Ends all streams and refuses new ones.
    pub(super) fn close(&self) {
        let mut watched = self.watched.lock();
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
}

impl Watched {
    fn subscribe(&mut self, transaction_id: &str) -> (Arc<str>, watch::Receiver<VecDeque<Event>>) {
        let id = Arc::<str>::from(transaction_id);
        let channel = self.payments.entry(Arc::clone(&id)).or_default();
        (id, channel.recent.subscribe())
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

impl Drop for Watcher {
    fn drop(&mut self) {
        let mut watched = self.hub.watched.lock();
        self.recent = None;
        let channel = watched.payments.get(&self.transaction_id);
        if channel.is_some_and(|channel| channel.recent.receiver_count() == 0) {
            watched.payments.remove(&self.transaction_id);
            self.hub.count(&watched);
        }
    }
}

#[cfg(test)]
mod tests;
