//! The stream of one merchant.

use axum::body::{Body, Bytes};

use super::{Merchant, Pulse};
use crate::following::event::{STILL_HERE, frames};
use crate::following::store::Store;
use crate::following::stream::{STILL_HERE_EVERY, Source, send};

/// What the proxy knows of payments may have changed. Without an id: nobody need hear of it later.
const ASK_AGAIN: Bytes = Bytes::from_static(b"event: ledger\ndata: {}\n\n");

struct Stream {
    merchant: Merchant,
    store: Store,
    /// The last event that was sent.
    last: i64,
    /// What there is, as far as is known here.
    pulse: Pulse,
}

/// Sends the place to come back to, then what happens after what is known.
pub(super) fn body(merchant: Merchant, store: Store, now: Pulse, known: Option<i64>) -> Body {
    let last = known.unwrap_or(now.last_event);
    let stream = Stream {
        merchant,
        store,
        last,
        pulse: now,
    };
    send(format!("id: {last}\n\n").as_bytes(), stream)
}

impl Source for Stream {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if self.last < self.pulse.last_event {
                match self.store.events(self.last).await {
                    Ok(events) => {
                        // Where there are none, they are forgotten.
                        let last = events.last();
                        self.last = last.map_or(self.pulse.last_event, |event| event.id);
                        if !events.is_empty() {
                            return Some(frames(&events));
                        }
                    }
                    Err(error) => {
                        tracing::warn!(%error, "a merchant's stream ends");
                        return None;
                    }
                }
            }
            let next = self.merchant.after(self.pulse);
            let Ok(next) = tokio::time::timeout(STILL_HERE_EVERY, next).await else {
                return Some(STILL_HERE);
            };
            let before = std::mem::replace(&mut self.pulse, next?);
            if self.pulse.notified > before.notified {
                return Some(ASK_AGAIN);
            }
        }
    }
}
