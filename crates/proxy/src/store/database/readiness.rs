//! Whether the database can be written: a check that all requests share.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

use super::Result;

/// How long the result of a check is reused. Anybody may ask, and each check is a write.
const FRESH: Duration = Duration::from_secs(1);

/// The last check. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Readiness(Arc<Mutex<Option<Checked>>>);

struct Checked {
    at: Instant,
    result: Result<()>,
}

impl Readiness {
    /// Returns the last result while it is fresh. Otherwise one caller checks, and all others wait
    /// for its result.
    pub(super) async fn check(&self, check: impl Future<Output = Result<()>>) -> Result<()> {
        let mut last = self.0.lock().await;
        if let Some(checked) = &*last
            && checked.at.elapsed() < FRESH
        {
            return checked.result.clone();
        }
        let result = check.await;
        *last = Some(Checked {
            at: Instant::now(),
            result: result.clone(),
        });
        result
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::task::JoinSet;

    use super::*;
    use crate::store::database::Error;

    #[tokio::test(start_paused = true)]
    async fn callers_share_a_check_and_its_result() {
        let (readiness, checks) = (Readiness::default(), Arc::new(AtomicUsize::new(0)));
        for (is_ready, expected) in [(true, 1), (false, 2), (true, 3)] {
            let mut callers = JoinSet::new();
            for _ in 0..100 {
                let (readiness, checks) = (readiness.clone(), Arc::clone(&checks));
                let check = async move {
                    checks.fetch_add(1, Ordering::SeqCst);
                    tokio::time::sleep(FRESH * 2).await;
                    is_ready.then_some(()).ok_or(Error::Busy)
                };
                callers.spawn(async move { readiness.check(check).await });
            }
            for result in callers.join_all().await {
                assert_eq!(result.is_ok(), is_ready);
            }
            assert_eq!(checks.load(Ordering::SeqCst), expected);
            tokio::time::advance(FRESH).await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn if_the_checking_caller_leaves_another_one_checks() {
        let readiness = Readiness::default();
        let (first, second) = (readiness.clone(), readiness.clone());
        let first = tokio::spawn(async move { first.check(std::future::pending()).await });
        tokio::task::yield_now().await;
        let second = tokio::spawn(async move { second.check(async { Ok(()) }).await });
        tokio::task::yield_now().await;
        assert!(!second.is_finished());
        first.abort();
        second.await.unwrap().unwrap();
    }
}
