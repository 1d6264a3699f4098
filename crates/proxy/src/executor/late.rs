//! Payments that were created too late: an instance was paused for longer than its lease, and another one called the service,
//! too. Each is settled: it is the payment of its attempt after all, or it is cancelled. Until then the merchant sees it.

use std::time::Duration;

use backon::{ExponentialBuilder, Retryable as _};
use tender_ledger::{Created, Evidence, Goal, Requester, Stage};

use super::Executor;
use super::run::Work;
use crate::error::Error;
use crate::shared::Shared;
use crate::store::attempts::{Begun, News, StoredAttempt};
use crate::store::database;

/// How often the database is checked for payments of other instances.
const INTERVAL: Duration = Duration::from_secs(5);

/// The same if nothing changes in a database that no other instance writes.
const IDLE: Duration = Duration::from_mins(1);

impl Work<'_> {
    /// Stores a payment that was created after the lease was lost.
    pub(super) async fn keep_late(&self, news: &News) {
        let (Evidence::Created(Created::Payment(id) | Created::Contradictory(id)), Some(record)) =
            (&news.evidence, &news.record)
        else {
            return;
        };
        let (executor, attempt) = (self.executor, &self.held.attempt);
        let is_contradictory =
            matches!(news.evidence, Evidence::Created(Created::Contradictory(_)));
        let add = async || {
            let store = &executor.shared.store;
            store.add_late(attempt, id, record, is_contradictory).await
        };
        match add.retry(ExponentialBuilder::default()).await {
            Ok(()) => {
                tracing::warn!(transaction_id = id, "a payment was created too late");
                executor.late_stored.notify_one();
            }
            Err(error) => {
                tracing::error!(transaction_id = id, %error, "a payment was created too late; cancel it by hand unless it is the order's");
            }
        }
    }
}

impl Executor {
    /// Settles late payments until the proxy stops. Another instance continues with one that is not settled by then.
    pub(super) async fn settle_late(self) {
        let mut commits = self.shared.store.database.commits();
        let settling = async {
            loop {
                commits.mark_seen();
                let open = self.settle_due().await;
                if let Err(error) = &open {
                    tracing::warn!(%error, "can't read the payments that were created too late");
                }
                let stored = self.late_stored.notified();
                if matches!(open, Ok(0)) {
                    // Only another instance can add one without a notice.
                    commits.next(IDLE).await;
                }
                _ = tokio::time::timeout(INTERVAL, stored).await;
            }
        };
        let stop = &self.shared.stop;
        stop.run_until_cancelled(Box::pin(settling)).await;
    }

    /// Tries to settle each payment that is due. Returns how many are not settled.
    async fn settle_due(&self) -> database::Result<i64> {
        let Shared { store, metrics, .. } = &*self.shared;
        while let Some(late) = store.due_late().await? {
            let id = late.payment().cloned().unwrap_or_default();
            match self.settle(&late, &id).await {
                Ok(()) => {}
                Err(Error::AttemptInProgress) => {
                    tracing::info!("another request works on a late payment");
                }
                Err(error) => {
                    tracing::warn!(transaction_id = id, %error, "can't settle a late payment");
                }
            }
            match store.postpone_late(&late).await? {
                None => tracing::info!(transaction_id = id, "a late payment is settled"),
                Some(pause) => {
                    tracing::warn!(transaction_id = id, ?pause, "a late payment is still open");
                }
            }
        }
        let open = store.count_late().await?;
        metrics.late_duplicates.set(open);
        Ok(open)
    }

    /// While the attempt has no payment, it may be this one; otherwise this one is cancelled.
    async fn settle(&self, late: &StoredAttempt, id: &str) -> Result<(), Error> {
        let store = &self.shared.store;
        let attempt = late.duplicate_of.as_deref().unwrap_or_default();
        let attempt = store.attempt(attempt).await?;
        match attempt.map(|attempt| (attempt.id, attempt.stage)) {
            Some((attempt, Stage::Requested(_))) => {
                if let Some(held) = store.acquire_attempt(&attempt).await? {
                    self.run(held, &Goal::Find).await?;
                }
            }
            // It may have been the order's payment.
            None => {}
            Some(_) => {
                let goal = Goal::Cancel(Requester::Proxy);
                let begun = store.begin_for_payment(id, goal).await?;
                if let Some(Begun::Held(held, goal)) = begun {
                    self.run(*held, &goal).await?;
                }
            }
        }
        Ok(())
    }
}
