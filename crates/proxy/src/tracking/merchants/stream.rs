//! The event stream of one merchant.

use axum::body::{Body, Bytes};

use super::{MerchantWatcher, Watermark};
use crate::store::payments::PaymentStore;
use crate::tracking::event::{Event, KEEP_ALIVE, frames};
use crate::tracking::stream::{KEEP_ALIVE_INTERVAL, Source, send};

/// Tells the client to fetch the ledger again. It has no id, because it need not be repeated after
/// a reconnection.
const REFETCH: Bytes = Bytes::from_static(b"event: ledger\ndata: {}\n\n");

struct Stream {
    merchant: MerchantWatcher,
    store: PaymentStore,
    /// The last event that was sent.
    last: i64,
    /// The latest watermark of this stream.
    watermark: Watermark,
}

/// Sends the id to reconnect with, then all events after `known`.
pub(super) fn body(
    merchant: MerchantWatcher,
    store: PaymentStore,
    now: Watermark,
    known: Option<i64>,
) -> Body {
    let last = known.unwrap_or(now.last_event);
    let stream = Stream {
        merchant,
        store,
        last,
        watermark: now,
    };
    send(format!("id: {last}\n\n").as_bytes(), stream)
}

impl Source for Stream {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if self.last < self.watermark.last_event {
                match self.store.events(self.last).await {
                    Ok(events) => {
                        let events: Vec<_> = events
                            .iter()
                            .map(|(kind, change)| Event::new(kind, change.id, &change.record))
                            .collect();
                        // If there are none, they have been pruned.
                        let last = events.last();
                        self.last = last.map_or(self.watermark.last_event, |event| event.id);
                        if !events.is_empty() {
                            return Some(frames(&events));
                        }
                    }
                    Err(error) => {
                        tracing::warn!(%error, "a merchant's event stream failed");
                        return None;
                    }
                }
            }
            let next = self.merchant.after(self.watermark);
            let Ok(next) = tokio::time::timeout(KEEP_ALIVE_INTERVAL, next).await else {
                return Some(KEEP_ALIVE);
            };
            let before = std::mem::replace(&mut self.watermark, next?);
            if self.watermark.notified > before.notified {
                return Some(REFETCH);
            }
        }
    }
}
