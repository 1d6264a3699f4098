//! The events of one merchant.

use std::sync::Arc;

use axum::response::sse;
use futures_util::future::ready;
use futures_util::stream::{self, StreamExt as _, iter, once, unfold};

use super::{MerchantWatcher, Watermark};
use crate::statuses::Statuses;
use crate::store::payments::{PaymentStore, StoredEvent};

struct Stream {
    merchant: MerchantWatcher,
    store: PaymentStore,
    statuses: Arc<Statuses>,
    /// The last event that was sent.
    last: i64,
    /// The latest watermark of this stream.
    watermark: Watermark,
}

/// The id to reconnect with, then all events after `known`.
pub(super) fn events(
    merchant: MerchantWatcher,
    store: PaymentStore,
    statuses: Arc<Statuses>,
    now: Watermark,
    known: Option<i64>,
) -> impl stream::Stream<Item = sse::Event> {
    let last = known.unwrap_or(now.last_event);
    let stream = Stream {
        merchant,
        store,
        statuses,
        last,
        watermark: now,
    };
    let later = unfold(stream, async |mut stream| {
        let next = stream.next().await?;
        Some((iter(next), stream))
    });
    let position = sse::Event::default().id(last.to_string());
    once(ready(position)).chain(later.flatten())
}

/// Tells the client to fetch the ledger again. It has no id, because it need not be repeated after
/// a reconnection.
fn refetch() -> sse::Event {
    sse::Event::default().event("ledger").data("{}")
}

impl Stream {
    /// Waits for the next events; `None` when the stream ends.
    async fn next(&mut self) -> Option<Vec<sse::Event>> {
        loop {
            if self.last < self.watermark.last_event {
                let events = self.store.events(self.last).await.inspect_err(|error| {
                    tracing::warn!(%error, "a merchant's event stream failed");
                });
                let events = events.ok()?;
                // If there are none, they have been pruned.
                let last = events.last();
                self.last = last.map_or(self.watermark.last_event, |event| event.change.id);
                if !events.is_empty() {
                    let event = |event: &StoredEvent| {
                        let StoredEvent { kind, change, .. } = event;
                        self.statuses.named_event(kind, change).content
                    };
                    return Some(events.iter().map(event).collect());
                }
            }
            let next = self.merchant.after(self.watermark).await?;
            let before = std::mem::replace(&mut self.watermark, next);
            if self.watermark.notified > before.notified {
                return Some(vec![refetch()]);
            }
        }
    }
}
