//! Reads of the service's list: requests that need the same page share a call.
//!
//! A request joins only a read that was not sent yet. The answer to an earlier one may lack a payment that was created or
//! cancelled since it was sent.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{self, OnceCell};

use super::ServiceError;

/// The longest time that a read waits for one of the same page that was sent before. The service may never answer that one.
const PATIENCE: Duration = Duration::from_millis(250);

type Answer = Result<String, ServiceError>;

/// The pages that are read now, by number.
#[derive(Default)]
pub(super) struct SharedReads(Mutex<HashMap<u32, Weak<Page>>>);

#[derive(Default)]
struct Page {
    /// Locked while a read is in progress.
    sent: sync::Mutex<()>,
    /// The read that will be sent next.
    next: Mutex<Arc<OnceCell<Answer>>>,
}

impl SharedReads {
    /// The answer to a read that is sent after this call.
    pub(super) async fn read(&self, number: u32, send: impl Future<Output = Answer>) -> Answer {
        let page = self.page(number);
        let read = Arc::clone(&page.next.lock());
        let answer = read.get_or_init(async || {
            let _sent = tokio::time::timeout(PATIENCE, page.sent.lock()).await;
            *page.next.lock() = Arc::default();
            send.await
        });
        answer.await.clone()
    }

    fn page(&self, number: u32) -> Arc<Page> {
        let mut pages = self.0.lock();
        pages.retain(|_, page| page.strong_count() > 0);
        let page = pages.get(&number).and_then(Weak::upgrade);
        page.unwrap_or_else(|| {
            let page = Arc::default();
            pages.insert(number, Arc::downgrade(&page));
            page
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use futures_util::future::join_all;
    use tokio::time::{Instant, sleep};

    use super::*;

    const CALL: Duration = Duration::from_millis(100);

    /// Answers after a time with the number of the call, from 1.
    async fn call(calls: &AtomicU32, time: Duration) -> Answer {
        let number = calls.fetch_add(1, Ordering::Relaxed) + 1;
        sleep(time).await;
        Ok(number.to_string())
    }

    #[tokio::test(start_paused = true)]
    async fn who_asks_during_a_read_shares_the_next_one() {
        let (reads, calls) = (SharedReads::default(), AtomicU32::new(0));
        let read = async |page, after| {
            sleep(after).await;
            let answer = reads.read(page, call(&calls, CALL)).await.unwrap();
            answer.parse::<u32>().unwrap()
        };
        let begun = Instant::now();
        let after = [0, 10, 20, 30, 150].map(Duration::from_millis);
        let answers = join_all(after.map(|after| read(0, after))).await;
        assert_eq!(answers, [1, 2, 2, 2, 3]);
        assert_eq!(begun.elapsed(), 3 * CALL);
        assert_eq!(join_all([1, 2].map(|page| read(page, CALL))).await, [4, 5]);
        assert_eq!(begun.elapsed(), 5 * CALL, "other pages do not wait");
        assert_eq!(read(0, CALL).await, 6);
        assert_eq!(reads.0.lock().len(), 1, "what is not read is forgotten");
    }

    #[tokio::test(start_paused = true)]
    async fn a_read_that_hangs_or_is_abandoned_keeps_nobody() {
        let (reads, calls) = (SharedReads::default(), AtomicU32::new(0));
        let hangs = reads.read(0, call(&calls, Duration::MAX));
        let leaves = async {
            sleep(CALL).await;
            // It asks first, and goes before it was sent, or answered.
            tokio::time::timeout(CALL, reads.read(0, call(&calls, CALL))).await
        };
        let stays = async {
            sleep(Duration::from_millis(199)).await;
            let begun = Instant::now();
            (reads.read(0, call(&calls, CALL)).await, begun.elapsed())
        };
        tokio::select! {
            _ = hangs => panic!("it hangs"),
            (left, (answer, time)) = async { tokio::join!(leaves, stays) } => {
                assert!(left.is_err());
                assert_eq!(answer.unwrap(), "2");
                assert!(time <= PATIENCE + CALL + Duration::from_millis(1), "{time:?}");
            }
        }
    }
}
