//! How long leases and calls of attempts have lasted, by the clock of this process alone. No jump of the database's clock ends one: a
//! lease has ended once this process has seen the row unchanged for as long as a lease lasts.

use moka::sync::Cache;

use super::statements;
use super::stored::StoredAttempt;
use crate::clock::{Clock, Instant, Millis};
use crate::store::database::{Result, query};
use crate::store::lease::{self, StoredLease};
use crate::store::{Store, StoreSettings};

/// More attempts than are worked on at the same time. One that is left out is seen for the first time again.
const MAX_ATTEMPTS: u64 = 100_000;

/// What this process has seen of attempts, by their ids. Clones share it.
#[derive(Clone)]
pub(crate) struct Observed(Cache<String, Seen>);

#[derive(Clone, Copy)]
pub(super) struct Seen {
    lease: StoredLease,
    settles_at: Millis,
    /// When the lease has ended, if it does not change.
    pub(super) ends: Instant,
    /// When the service can no longer execute the create request.
    pub(super) settled: Instant,
}

impl Default for Observed {
    fn default() -> Self {
        Self(Cache::new(MAX_ATTEMPTS))
    }
}

impl Observed {
    /// What is known of this row, which was read just now. What another process has written lasts as long as here
    /// from now on, or longer if the row says so: the timeouts may differ.
    pub(super) fn see(
        &self,
        attempt: &StoredAttempt,
        clock: Clock,
        settings: StoreSettings,
    ) -> Seen {
        let now = Instant::now();
        let left = attempt.lease.ends_in(clock, settings.call);
        let ends = now + left.max(lease::length(settings.call));
        let left = clock.until(attempt.settles_at).min(StoredLease::MAX_AHEAD);
        let settled = now + left.max(settings.until_settled());
        let known = self.0.get(&attempt.id);
        let known = known.filter(|seen| seen.settles_at == attempt.settles_at);
        match known {
            Some(seen) if seen.lease == attempt.lease => seen,
            Some(seen) => self.add(attempt, attempt.lease, [ends, seen.settled]),
            None if attempt.settles_at == 0 => self.add(attempt, attempt.lease, [ends, now]),
            None => self.add(attempt, attempt.lease, [ends, settled]),
        }
    }

    /// Notes what this process stores.
    pub(super) fn add(
        &self,
        attempt: &StoredAttempt,
        lease: StoredLease,
        [ends, settled]: [Instant; 2],
    ) -> Seen {
        let seen = Seen {
            lease,
            settles_at: attempt.settles_at,
            ends,
            settled,
        };
        self.0.insert(attempt.id.clone(), seen);
        seen
    }
}

impl Store {
    /// Begins to measure the leases that another process has left, so that later requests wait less.
    pub(crate) async fn observe(&self) -> Result<()> {
        let left = query!(statements::REQUESTED_OR_CANCELLING);
        let clock = self.clock().await?;
        for attempt in self.database.rows::<StoredAttempt>(left).await? {
            self.observed.see(&attempt, clock, self.settings);
        }
        Ok(())
    }
}
