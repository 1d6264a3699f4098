//! Prunes attempts that are no longer needed.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::task::AbortOnDropHandle;

use super::{AttemptStore, past};
use crate::clock::Millis;
use crate::store::database;

const INTERVAL: Duration = Duration::from_mins(10);

/// Small enough that no request waits long for the lock.
const BATCH: i64 = 500;

/// Pause between two batches, during which waiting requests can use the database.
const PAUSE: Duration = Duration::from_millis(200);

/// Prunes until the handle is dropped.
pub(crate) fn spawn_pruning(store: Arc<AttemptStore>) -> AbortOnDropHandle<()> {
    AbortOnDropHandle::new(tokio::spawn(async move {
        loop {
            match store.prune().await {
                Ok(0) => {}
                Ok(attempts) => tracing::debug!(attempts, "pruned"),
                Err(error) => tracing::warn!(%error, "can't prune the attempts"),
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

    /// Removes up to `batch` attempts whose retention has ended at `now`, oldest first, as many refused
    /// ones, and as many archived ones.
    pub(super) async fn prune_batch(&self, now: Millis, batch: i64) -> database::Result<u64> {
        let memory = self.timeouts.order_memory;
        self.database
            .transaction(async move |session| past::archive(session, now, batch, memory).await)
            .await
    }
}
