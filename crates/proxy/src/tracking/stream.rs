//! The stream of one watcher.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::future::ready;
use futures_util::stream::{StreamExt as _, once, unfold};

use super::event::{Event, KEEP_ALIVE, frames, retry};
use super::hub::Watcher;
use super::jitter::jitter;

/// Shorter than the time after which proxies and load balancers end a silent connection: 60 seconds
/// with nginx.
pub(super) const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(20);

/// When a listener whose connection broke comes back: not all at the same moment.
const RETRY: Duration = Duration::from_secs(2);

/// Where a stream comes from.
pub(super) trait Source: Send + 'static {
    /// Waits for what comes next; `None` at the end.
    fn next(&mut self) -> impl Future<Output = Option<Bytes>> + Send;
}

struct Stream {
    watcher: Watcher,
    /// The last event that was sent.
    last: i64,
}

/// Sends what there is, then what comes.
pub(super) fn body(watcher: Watcher, first: &[Event], last: i64) -> Body {
    send(&frames(first), Stream { watcher, last })
}

/// Tells a listener when to come back, sends what there is, then what comes.
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
