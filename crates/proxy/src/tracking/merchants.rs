//! What the merchant asks for: an event stream of all payments.

use std::sync::Arc;

use axum::response::sse;
use futures_util::Stream;

use super::Tracking;
use super::stream::EventStream;
use crate::error::Error;
use crate::statuses::Buyer;

impl Tracking {
    /// Opens an event stream of all payments: the id to reconnect with, then all events after the event `known`.
    pub(crate) async fn watch_all(
        &self,
        known: Option<i64>,
    ) -> Result<impl Stream<Item = sse::Event> + use<>, Error> {
        // Must come first, so that no event is missed.
        let subscription = self.subscribe(None)?;
        let now = self.store.poll_state().await?.watermark.last_event;
        // Ignore an id that was never used.
        let known = known.filter(|known| (0..=now).contains(known));
        // The poller now reads the list for this stream.
        self.poll_requested.notify_one();
        let stream = EventStream {
            subscription,
            store: self.store.clone(),
            statuses: Arc::clone(&self.statuses),
            buyer: Buyer::Shown,
            last: known.unwrap_or(now),
            is_behind: known.is_some(),
        };
        let position = sse::Event::default().id(stream.last.to_string());
        Ok(stream.starting_with(vec![position], self.stop.clone()))
    }
}
