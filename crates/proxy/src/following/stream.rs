//! The stream of one watcher.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::stream::unfold;

use super::chance::up_to;
use super::event::{Event, STILL_HERE, frames, retry};
use super::hub::Watcher;

/// Shorter than the time after which proxies and load balancers end a silent connection: 60 seconds
/// with nginx.
pub(super) const STILL_HERE_EVERY: Duration = Duration::from_secs(20);

/// When a listener whose connection broke comes back: not all at the same moment.
const RETRY: Duration = Duration::from_secs(2);

struct Stream {
    watcher: Watcher,
    first: Option<Bytes>,
    /// The last event that was sent.
    last: i64,
}

/// Sends what there is, then what comes.
pub(super) fn body(watcher: Watcher, first: &[Event], last: i64) -> Body {
    let retry = come_back();
    let stream = Stream {
        watcher,
        first: Some([retry.as_bytes(), &frames(first)].concat().into()),
        last,
    };
    Body::from_stream(unfold(stream, async |mut stream| {
        let chunk = stream.next().await?;
        Some((Ok::<_, Infallible>(chunk), stream))
    }))
}

impl Stream {
    async fn next(&mut self) -> Option<Bytes> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        let next = self.watcher.after(self.last);
        let Ok(next) = tokio::time::timeout(STILL_HERE_EVERY, next).await else {
            return Some(STILL_HERE);
        };
        let next = next?;
        self.last = next.last().map_or(self.last, |event| event.id);
        Some(frames(&next))
    }
}

/// Tells a listener when to come back.
pub(super) fn come_back() -> String {
    let wait = RETRY + up_to(RETRY);
    retry(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX))
}
