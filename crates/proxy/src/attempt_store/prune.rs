//! Forgetting what nobody needs any more.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::task::AbortOnDropHandle;

use super::{AttemptStore, statements};
use crate::database::{self, Millis, millis};
use crate::receipt;

const INTERVAL: Duration = Duration::from_mins(10);

/// Few enough that nobody waits for the lock that they take.
const BATCH: i64 = 500;

/// Between two batches others have their turn.
const PAUSE: Duration = Duration::from_millis(200);

/// Prunes for as long as the handle lives.
pub(crate) fn spawn_pruning(store: Arc<AttemptStore>) -> AbortOnDropHandle<()> {
    AbortOnDropHandle::new(tokio::spawn(async move {
        loop {
            match store.prune().await {
                Ok(0) => {}
                Ok(attempts) => tracing::debug!(attempts, "pruned"),
                Err(error) => tracing::warn!(%error, "can't prune the ledger"),
            }
            tokio::time::sleep(INTERVAL).await;
        }
    }))
}

impl AttemptStore {
    pub(super) async fn prune(&self) -> database::Result<u64> {
        let now = self.clock().await?.now;
        let mut pruned = 0;
        loop {
            let batch = self.prune_batch(now, BATCH).await?;
            pruned += batch;
            if batch < BATCH.unsigned_abs() {
                return Ok(pruned);
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Removes up to so many attempts that need not be kept at `now`, the oldest first, and as many of
    /// what remained of earlier ones.
    pub(super) async fn prune_batch(&self, now: Millis, batch: i64) -> database::Result<u64> {
        let pruned = self.database.transaction(move |session| {
            Box::pin(async move {
                let values = [now.into(), batch.into()];
                session.execute(statements::ARCHIVE, &values).await?;
                let pruned = session.execute(statements::PRUNE, &[now.into()]).await?;
                let long_ago = now.saturating_sub(millis(receipt::LIFETIME));
                let values = [long_ago.into(), batch.into()];
                session.execute(statements::PRUNE_ARCHIVE, &values).await?;
                Ok(pruned)
            })
        });
        pruned.await
    }
}
