//! Event streams for merchants, which cover all payments.
//!
//! There are few of them, so each reads its events from the database, starting after the last event
//! it has sent. So a slow client can't miss any. Streams wait for a change of the watermark, which
//! every instance reads from the `polling` table.

mod stream;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::response::sse;
use futures_util::Stream;
use tokio::sync::watch;

use super::open_stream::OpenStream;
use super::{Error, Tracking};
use crate::store::database;
use crate::store::payments::{Notifications, PaymentStore, Watermark};

/// The merchants' streams of this instance.
pub(super) struct MerchantHub {
    /// `None` when the proxy is stopping.
    watermark: watch::Sender<Option<Watermark>>,
}

/// A merchant's subscription. Dropping it unsubscribes.
struct MerchantWatcher {
    watermark: watch::Receiver<Option<Watermark>>,
    #[expect(dead_code, reason = "held for its drop")]
    stream: OpenStream,
}

/// When the database was last informed that merchants are watching.
#[derive(Default)]
pub(super) struct MerchantInterest(Option<Instant>);

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

    fn watch(&self, stream: OpenStream) -> MerchantWatcher {
        let watermark = self.watermark.subscribe();
        MerchantWatcher { watermark, stream }
    }
}

impl MerchantWatcher {
    /// Waits until the watermark has advanced; `None` when the stream ends.
    async fn after(&mut self, known: Watermark) -> Option<Watermark> {
        let is_news = |watermark: &Option<Watermark>| {
            watermark.is_none_or(|watermark| watermark.is_after(known))
        };
        *self.watermark.wait_for(is_news).await.ok()?
    }
}

impl MerchantInterest {
    /// Informs the database that merchants are watching, if half of `ttl` has passed since the last
    /// time.
    pub(super) async fn renew(
        &mut self,
        hub: &MerchantHub,
        store: &PaymentStore,
        ttl: Duration,
    ) -> database::Result<()> {
        if hub.watermark.receiver_count() == 0 {
            self.0 = None;
        } else if self.0.is_none_or(|saved| saved.elapsed() >= ttl / 2) {
            self.0 = Some(store.extend_merchant_interest(ttl).await?);
        }
        Ok(())
    }
}

impl Tracking {
    /// Opens an event stream of all payments, starting after the event `known`.
    pub(crate) async fn watch_all(
        &self,
        known: Option<i64>,
    ) -> Result<impl Stream<Item = sse::Event> + use<>, Error> {
        let merchant = self.hub.merchants.watch(self.hub.stream()?);
        let now = self.store.poll_state().await?.watermark();
        // Ignore an id that was never used.
        let known = known.filter(|known| (0..=now.last_event).contains(known));
        // The poller now reads the list for this stream.
        self.poll_requested.notify_one();
        let statuses = Arc::clone(&self.statuses);
        let store = self.store.clone();
        Ok(stream::events(merchant, store, statuses, now, known))
    }

    /// Counts the notifications for the invoices of these payments, keyed by transactionId. Unknown
    /// payments are omitted.
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
