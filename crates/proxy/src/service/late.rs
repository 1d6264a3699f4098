//! Waits for a response until a time, and reads one that has arrived by then.

use std::time::{Duration, Instant};

/// How long after the time a response is still read. While the process is suspended, the time may pass
/// and the response may arrive; both are seen at once when it continues. This is a small part of the two
/// seconds that an attempt's lease lasts longer than its call.
const GRACE: Duration = Duration::from_millis(250);

/// The response; `None` if it has not arrived [`GRACE`] after this time, or after the process continued.
pub(super) async fn until<T>(finish_by: Instant, response: impl Future<Output = T>) -> Option<T> {
    let mut response = std::pin::pin!(response);
    match tokio::time::timeout_at(finish_by.into(), &mut response).await {
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
        tokio::time::Instant::now().into_std() + TIMEOUT
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
        let begun = tokio::time::Instant::now();
        let response = std::future::pending::<()>();
        assert_eq!(until(finish_by(), response).await, None);
        let most = TIMEOUT + GRACE + Duration::from_millis(10);
        assert!(begun.elapsed() < most, "{:?}", begun.elapsed());
    }
}
