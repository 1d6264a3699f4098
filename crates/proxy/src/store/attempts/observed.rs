//! How long leases and calls of attempts have lasted, by the clock of this process alone. No jump of the database's clock ends one: a
//! lease has ended once this process has seen the row unchanged for as long as a lease lasts.

use std::time::Duration;

use moka::sync::Cache;

use super::statements;
use super::stored::StoredAttempt;
use crate::clock::{Instant, Millis};
use crate::store::Store;
use crate::store::database::{Result, query};
use crate::store::lease::StoredLease;

/// More attempts than are worked on at the same time. One that is left out is seen for the first time again.
const MAX_ATTEMPTS: u64 = 100_000;

/// What this process has seen of attempts, by their ids. Clones share it.
#[derive(Clone)]
pub(crate) struct Observed(Cache<String, Seen>);

#[derive(Clone, Copy)]
pub(super) struct Seen {
    lease: StoredLease,
    settles_at: Millis,
    /// When the lease was seen first.
    pub(super) since: Instant,
    /// When the service can no longer execute the create request.
    pub(super) settled: Instant,
}

impl Default for Observed {
    fn default() -> Self {
        Self(Cache::new(MAX_ATTEMPTS))
    }
}

impl Observed {
    /// What is known of this row, which was read just now. A call that another process has made settles this long after it was seen.
    pub(super) fn see(&self, attempt: &StoredAttempt, until_settled: Duration) -> Seen {
        let now = Instant::now();
        let known = self.0.get(&attempt.id);
        let known = known.filter(|seen| seen.settles_at == attempt.settles_at);
        match known {
            Some(seen) if seen.lease == attempt.lease => seen,
            Some(seen) => self.add(attempt, attempt.lease, seen.settled),
            None if attempt.settles_at == 0 => self.add(attempt, attempt.lease, now),
            None => self.add(attempt, attempt.lease, now + until_settled),
        }
    }

    /// Notes what this process stores.
    pub(super) fn add(
        &self,
        attempt: &StoredAttempt,
        lease: StoredLease,
        settled: Instant,
    ) -> Seen {
        let seen = Seen {
            lease,
            settles_at: attempt.settles_at,
            since: Instant::now(),
            settled,
        };
        self.0.insert(attempt.id.clone(), seen);
        seen
    }
}

impl Store {
    /// Sees the attempts that another process has left, so that nobody waits for them later.
    pub(crate) async fn observe(&self) -> Result<()> {
        let left = query!(statements::REQUESTED_OR_CANCELLING);
        for attempt in self.database.rows::<StoredAttempt>(left).await? {
            self.observed.see(&attempt, self.settings.until_settled());
        }
        Ok(())
    }
}
