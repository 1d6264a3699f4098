//! What the event streams of this instance follow, and what they are sent.
//!
//! The poller publishes each event once, whichever instance has stored it, and each stream takes what it
//! follows. No client causes requests or polls of its own.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{Notify, broadcast};

use crate::clock::Instant;
use crate::metrics::Metrics;
use crate::store::payments::StoredEvent;

/// How many events a stream can lag behind before it reads them from the database.
pub(super) const RECENT: usize = 256;

/// How many payments are noted, at most, that clients have fetched without a stream.
const MAX_VIEWED: usize = 10_000;

/// A payment, or all of them: a merchant's stream.
pub(super) type Scope = Option<Arc<str>>;

pub(super) struct Hub {
    news: broadcast::Sender<Arc<StoredEvent>>,
    followed: Mutex<HashMap<Scope, Followers>>,
    /// Told when the database may have to be informed.
    interested: Notify,
    metrics: Metrics,
}

/// Who follows a payment: a number of streams, or clients that have fetched it without one.
#[derive(Default)]
struct Followers {
    streams: usize,
    /// When the database was last informed of them.
    saved_at: Option<Instant>,
}

/// A stream's subscription. Dropping it unsubscribes.
pub(super) struct Subscription {
    hub: Arc<Hub>,
    pub(super) scope: Scope,
    pub(super) news: broadcast::Receiver<Arc<StoredEvent>>,
}

impl Hub {
    pub(super) fn new(metrics: Metrics) -> Self {
        Self {
            news: broadcast::Sender::new(RECENT),
            followed: Mutex::default(),
            interested: Notify::new(),
            metrics,
        }
    }

    pub(super) fn subscribe(self: &Arc<Self>, scope: Scope) -> Subscription {
        let mut followed = self.followed.lock();
        let followers = followed.entry(scope.clone()).or_default();
        followers.streams += 1;
        self.metrics.open_streams.inc();
        self.interested.notify_one();
        if followers.streams == 1 && scope.is_some() {
            self.metrics.watched_payments.inc();
        }
        Subscription {
            hub: Arc::clone(self),
            scope,
            news: self.news.subscribe(),
        }
    }

    /// Sends an event to all streams, if there are any.
    pub(super) fn publish(&self, event: StoredEvent) {
        let _ = self.news.send(Arc::new(event));
    }

    pub(super) fn has_streams(&self) -> bool {
        self.news.receiver_count() > 0
    }

    /// Notes that a client has fetched a payment and may fetch it again.
    pub(super) fn viewed(&self, transaction_id: &str) {
        let mut followed = self.followed.lock();
        if followed.len() < MAX_VIEWED {
            followed.entry(Some(transaction_id.into())).or_default();
        }
        self.interested.notify_one();
    }

    /// Waits until somebody may have become interested since the last time.
    pub(super) async fn interested(&self) {
        self.interested.notified().await;
    }

    /// As if somebody had become interested.
    pub(super) fn notify(&self) {
        self.interested.notify_one();
    }

    /// Returns up to `count` scopes whose interest was not saved yet, or was saved at least `max_age` ago.
    pub(super) fn interest_due(&self, count: usize, max_age: Duration) -> Vec<Scope> {
        let now = Instant::now();
        let followed = self.followed.lock();
        let due = followed.iter().filter(|(_, followers)| {
            let saved = followers.saved_at;
            saved.is_none_or(|saved| now - saved >= max_age)
        });
        due.take(count).map(|(scope, _)| scope.clone()).collect()
    }

    /// Notes that the database was informed of these.
    pub(super) fn interest_saved(&self, scopes: &[Scope]) {
        let mut followed = self.followed.lock();
        for scope in scopes {
            if let Some(followers) = followed.get_mut(scope) {
                followers.saved_at = Some(Instant::now());
                if followers.streams == 0 {
                    followed.remove(scope);
                }
            }
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.hub.metrics.open_streams.dec();
        let mut followed = self.hub.followed.lock();
        let Some(followers) = followed.get_mut(&self.scope) else {
            return;
        };
        followers.streams -= 1;
        if followers.streams > 0 {
            return;
        }
        // Otherwise the database is yet to be informed that somebody was interested.
        if self.scope.is_none() || followers.saved_at.is_some() {
            followed.remove(&self.scope);
        }
        if self.scope.is_some() {
            self.hub.metrics.watched_payments.dec();
        }
    }
}
