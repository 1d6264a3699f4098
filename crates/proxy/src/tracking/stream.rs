//! The events of one client.

use axum::response::sse;
use futures_util::stream::{Stream, StreamExt as _, iter, unfold};

use super::event::Event;
use super::hub::Watcher;

/// The first events, then all that come after the event `last`.
pub(super) fn events(
    watcher: Watcher,
    first: Vec<Event>,
    last: i64,
) -> impl Stream<Item = sse::Event> {
    let later = unfold((watcher, last), async |(mut watcher, last)| {
        let new = watcher.after(last).await?;
        let last = new.last().map_or(last, |event| event.id);
        Some((iter(new), (watcher, last)))
    });
    let events = iter(first).chain(later.flatten());
    events.map(|event| event.content)
}
