//! Merchants, who watch all payments at once.
//!
//! There are few of them, so that each reads what happened from the database, from the last event that
//! it knows: nobody can fall behind. What they wait for is a pulse, which every instance takes from the
//! row of the rounds.

mod store;
mod stream;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use axum::body::Body;
use tokio::sync::watch;

pub(crate) use self::store::Notifications;
use super::Tracking;
use super::hub::{self, Hub, Slot};
use super::store::Store;
use crate::database;
use crate::error::Error;

/// What merchants wait for. Neither number ever falls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Watermark {
    /// The last event that was written.
    pub(super) last_event: i64,
    /// How many notifications came.
    pub(super) notified: i64,
}

/// The merchants of an instance.
pub(super) struct MerchantHub {
    /// `None` at the end.
    watermark: watch::Sender<Option<Watermark>>,
}

/// A merchant who watches. Dropping it is the end of that.
struct MerchantWatcher {
    watermark: watch::Receiver<Option<Watermark>>,
    #[expect(dead_code, reason = "it is there to be dropped")]
    slot: Slot,
}

/// When the database was last told that merchants watch.
#[derive(Default)]
pub(super) struct MerchantInterest(Option<Instant>);

impl Watermark {
    fn is_after(self, other: Self) -> bool {
        self.last_event > other.last_event || self.notified > other.notified
    }
}

impl MerchantHub {
    pub(super) fn new() -> Self {
        Self {
            watermark: watch::Sender::new(Some(Watermark::default())),
        }
    }

    pub(super) fn publish(&self, watermark: Watermark) {
        self.watermark.send_if_modified(|last| {
            let news = last.is_some_and(|last| watermark.is_after(last));
            if news {
                *last = Some(watermark);
            }
            news
        });
    }

    pub(super) fn close(&self) {
        self.watermark.send_replace(None);
    }

    fn watch(&self, slot: Slot) -> MerchantWatcher {
        let watermark = self.watermark.subscribe();
        MerchantWatcher { watermark, slot }
    }
}

impl MerchantWatcher {
    /// Waits for a pulse after that one; `None` at the end.
    async fn after(&mut self, known: Watermark) -> Option<Watermark> {
        let is_news = |watermark: &Option<Watermark>| {
            watermark.is_none_or(|watermark| watermark.is_after(known))
        };
        *self.watermark.wait_for(is_news).await.ok()?
    }
}

impl MerchantInterest {
    /// Tells the database that merchants watch, where it is time: it holds that for true for so long.
    pub(super) async fn renew(
        &mut self,
        hub: &Hub,
        store: &Store,
        ttl: Duration,
    ) -> database::Result<()> {
        if hub.merchants.watermark.receiver_count() == 0 {
            self.0 = None;
        } else if self.0.is_none_or(|saved| saved.elapsed() >= ttl / 2) {
            self.0 = Some(store.extend_merchant_interest(ttl).await?);
        }
        Ok(())
    }
}

impl Tracking {
    /// A stream of what happens to all payments. One who knows an event already gets those after it.
    pub(crate) async fn watch_all(&self, known: Option<i64>) -> Result<Body, Error> {
        let slot = self.hub.slot().map_err(|hub::Full| Error::StreamsFull)?;
        let merchant = self.hub.merchants.watch(slot);
        let now = self.store.poll_state().await?.watermark();
        // An event that never was is none that is known.
        let known = known.filter(|known| (0..=now.last_event).contains(known));
        // From now on the list is read for it.
        self.poll_requested.notify_one();
        Ok(stream::body(merchant, self.store.clone(), now, known))
    }

    /// The notifications that named the invoices of these payments, by transactionId; nothing of a
    /// payment that is not known.
    pub(crate) async fn notifications_of(
        &self,
        ids: &[String],
    ) -> database::Result<HashMap<String, Notifications>> {
        let invoices = self.store.invoices_of(ids).await?;
        let mut named: Vec<_> = invoices.values().flatten().cloned().collect();
        named.sort_unstable();
        named.dedup();
        let found = self.store.notifications_of(named).await?;
        let of = |invoice: Option<String>| {
            let found = invoice.and_then(|invoice| found.get(&invoice));
            found.copied().unwrap_or_default()
        };
        let payments = invoices.into_iter();
        Ok(payments.map(|(id, invoice)| (id, of(invoice))).collect())
    }
}

#[cfg(test)]
mod tests;
