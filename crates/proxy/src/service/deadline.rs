//! Sends a request before a time, and waits for its response until another time.

use std::iter::once_with;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Bytes;
use futures_util::stream::iter;
use http_body_util::StreamBody;
use hyper::body::Frame;
use reqwest::Body;

use crate::clock::{Deadline, Instant};

/// How long after the time a response is still read. While the process is suspended, the time may pass
/// and the response may arrive; both are seen at once when it continues. This is a small part of the two
/// seconds that an attempt's lease lasts longer than its call.
const GRACE: Duration = Duration::from_millis(250);

/// Whether the bytes of a body were written.
#[derive(Clone, Default)]
pub(super) struct Sent(Arc<AtomicBool>);

#[derive(Debug, thiserror::Error)]
#[error("the deadline for sending it has passed")]
struct DeadlinePassed;

impl Sent {
    pub(super) fn is_sent(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// A body that returns its bytes when they are about to be written to the connection, or fails if the deadline
    /// has passed. Whatever delayed the request, such as a slow connection or a suspended machine, the service can't
    /// execute it without its body.
    pub(super) fn body(&self, bytes: Vec<u8>, send_by: Deadline) -> Body {
        let sent = Arc::clone(&self.0);
        let frame = once_with(move || {
            if send_by.has_passed() {
                return Err(DeadlinePassed);
            }
            sent.store(true, Ordering::Release);
            Ok(Frame::data(Bytes::from(bytes)))
        });
        Body::wrap(StreamBody::new(iter(frame)))
    }
}

/// The response; `None` if it has not arrived [`GRACE`] after this time, or after the process continued.
pub(super) async fn until<T>(finish_by: Instant, response: impl Future<Output = T>) -> Option<T> {
    let mut response = std::pin::pin!(response);
    match tokio::time::timeout_at(finish_by, &mut response).await {
        Ok(response) => Some(response),
        // The connection is another task, which may not have run since the process continued.
        Err(_) => tokio::time::timeout(GRACE, response).await.ok(),
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;
    use tokio::time::advance;

    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(3);

    fn finish_by() -> Instant {
        Instant::now() + TIMEOUT
    }

    #[tokio::test(start_paused = true)]
    async fn a_response_that_arrived_in_a_suspended_process_is_read() {
        let (sender, response) = oneshot::channel();
        let waiting = tokio::spawn(until(finish_by(), response));
        tokio::task::yield_now().await;
        advance(20 * TIMEOUT).await;
        // The waiting task notices the time first.
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        sender.send("late").unwrap();
        assert_eq!(waiting.await.unwrap(), Some(Ok("late")));
    }

    #[tokio::test(start_paused = true)]
    async fn a_response_is_not_awaited_for_long() {
        let begun = Instant::now();
        let response = std::future::pending::<()>();
        assert_eq!(until(finish_by(), response).await, None);
        let most = TIMEOUT + GRACE + Duration::from_millis(10);
        assert!(begun.elapsed() < most, "{:?}", begun.elapsed());
    }
}
