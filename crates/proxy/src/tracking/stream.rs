//! The event stream of one client.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::future::ready;
use futures_util::stream::{StreamExt as _, once, unfold};

use super::event::{Event, KEEP_ALIVE, frames, retry};
use super::hub::Watcher;
use super::jitter::jitter;

/// Shorter than the idle timeout of reverse proxies and load balancers, such as 60 seconds in
/// nginx.
pub(super) const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(20);

/// The reconnection time of clients, to which jitter is added.
const RETRY: Duration = Duration::from_secs(2);

/// A source of frames for a stream.
pub(super) trait Source: Send + 'static {
    /// Waits for the next frames; `None` when the stream ends.
    fn next(&mut self) -> impl Future<Output = Option<Bytes>> + Send;
}

struct Stream {
    watcher: Watcher,
    /// The last event that was sent.
    last: i64,
}

/// Sends the first events, then all later ones.
pub(super) fn body(watcher: Watcher, first: &[Event], last: i64) -> Body {
    send(&frames(first), Stream { watcher, last })
}

/// Sends the reconnection time, the first frames, and then the frames of the source.
pub(super) fn send(first: &[u8], source: impl Source) -> Body {
    let first: Bytes = [retry_field().as_bytes(), first].concat().into();
    let rest = unfold(source, async |mut source| {
        let next = source.next().await?;
        Some((Ok::<_, Infallible>(next), source))
    });
    Body::from_stream(once(ready(Ok(first))).chain(rest))
}

impl Source for Stream {
    async fn next(&mut self) -> Option<Bytes> {
        let next = self.watcher.after(self.last);
        let Ok(next) = tokio::time::timeout(KEEP_ALIVE_INTERVAL, next).await else {
            return Some(KEEP_ALIVE);
        };
        let next = next?;
        self.last = next.last().map_or(self.last, |event| event.id);
        Some(frames(&next))
    }
}

fn retry_field() -> String {
    let wait = RETRY + jitter(RETRY);
    retry(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX))
}
