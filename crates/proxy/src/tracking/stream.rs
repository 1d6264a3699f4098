//! The events of one client.

use std::sync::Arc;

use axum::response::sse;
use futures_util::stream::{Stream, StreamExt as _, iter, unfold};
use tender_protocol::event::{LEDGER, STATUS};
use tokio::sync::broadcast::error::RecvError;

use super::hub::Subscription;
use crate::shared::Shared;
use crate::statuses::{Statuses, Viewer};
use crate::store::payments::{Change, StoredEvent};

/// A stream of a payment's changes, or of all events for a merchant.
pub(super) struct EventStream {
    pub(super) subscription: Subscription,
    pub(super) shared: Arc<Shared>,
    pub(super) viewer: Viewer,
    /// The last event that was sent.
    pub(super) last: i64,
    /// Whether the database may have events after it that will not be published any more.
    pub(super) is_behind: bool,
}

impl EventStream {
    /// The first events, then all later ones until the proxy stops.
    pub(super) fn starting_with(self, first: Vec<sse::Event>) -> impl Stream<Item = sse::Event> {
        let stop = self.shared.stop.clone();
        let later = unfold(self, async |mut stream| {
            let next = stream.next().await?;
            Some((iter(next), stream))
        });
        iter(first).chain(later.flatten().take_until(stop.cancelled_owned()))
    }

    /// Waits for the next events; `None` when the stream ends.
    async fn next(&mut self) -> Option<Vec<sse::Event>> {
        loop {
            if self.is_behind {
                let missed = self.missed().await?;
                self.is_behind = !missed.is_empty();
                if self.is_behind {
                    return Some(missed);
                }
            }
            match self.subscription.news.recv().await {
                Ok(event) if self.follows(&event) => {
                    self.last = event.change.id;
                    return Some(vec![self.event(&event)]);
                }
                Ok(_) => {}
                Err(RecvError::Lagged(_)) => self.is_behind = true,
                Err(RecvError::Closed) => return None,
            }
        }
    }

    fn follows(&self, event: &StoredEvent) -> bool {
        let is_in_scope = match &self.subscription.scope {
            Some(id) => event.kind == STATUS && event.transaction_id == **id,
            None => true,
        };
        is_in_scope && event.change.id > self.last
    }

    /// Reads the next batch of events after the last one that was sent.
    async fn missed(&mut self) -> Option<Vec<sse::Event>> {
        let of = self.subscription.scope.as_deref();
        let store = &self.shared.store;
        let missed = store.events(self.last, of).await.inspect_err(|error| {
            tracing::warn!(%error, "an event stream failed");
        });
        let missed = missed.ok()?;
        if let Some(last) = missed.last() {
            self.last = last.change.id;
        }
        Some(missed.iter().map(|event| self.event(event)).collect())
    }

    fn event(&self, event: &StoredEvent) -> sse::Event {
        if event.kind == LEDGER {
            // The client fetches the ledger again.
            return sse::Event::default()
                .event(LEDGER)
                .data(&event.change.record);
        }
        let statuses = &self.shared.statuses;
        statuses.event(&event.kind, &event.change, self.viewer)
    }
}

impl Statuses {
    /// An event with a record of a payment and the payment's state.
    pub(super) fn event(&self, name: &str, change: &Change, viewer: Viewer) -> sse::Event {
        let record = self.latest(change, viewer);
        // JSON may contain line breaks between its tokens. Each line becomes a `data:` field, and
        // the client joins them again. A field can't contain a carriage return.
        let data = record.replace('\r', "\n");
        let event = sse::Event::default().event(name).id(change.id.to_string());
        event.data(data)
    }
}
