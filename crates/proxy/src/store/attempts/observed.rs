//! How long leases and calls have lasted, by the clock of this process alone. No jump of the database's clock ends one: a
//! lease has ended once this process has seen the row unchanged for as long as a lease lasts.

use std::time::Duration;

use moka::sync::Cache;
use tender_ledger::Stage;

use super::statements;
use super::stored::StoredAttempt;
use crate::clock::{Clock, Instant, Millis};
use crate::store::Store;
use crate::store::database::{Result, query};
use crate::store::lease::{self, StoredLease};

/// More rows than are worked on at the same time. One that is left out is seen for the first time again.
const MAX_ROWS: u64 = 100_000;

/// What this process has seen of rows, by their ids. Clones share it.
#[derive(Clone)]
pub(crate) struct Observed {
    /// The leases, and when each ends if it does not change.
    leases: Cache<String, (StoredLease, Instant)>,
    /// Until when the service may execute the create request of an attempt, by the database's clock and by that of this process.
    settling: Cache<String, (Millis, Instant)>,
}

impl Default for Observed {
    fn default() -> Self {
        Self {
            leases: Cache::new(MAX_ROWS),
            settling: Cache::new(MAX_ROWS),
        }
    }
}

impl Observed {
    /// When the lease of a row ends, which was read just now. What another process has written lasts as long as here from now on,
    /// or longer if the row says so: the timeouts may differ.
    pub(crate) fn ends(
        &self,
        row: &str,
        lease: StoredLease,
        clock: Clock,
        call: Duration,
    ) -> Instant {
        let now = Instant::now();
        match self.leases.get(row) {
            _ if !lease.is_held() => now,
            Some((known, ends)) if known == lease => ends,
            _ => {
                let ends = now + lease.ends_in(clock, call).max(lease::length(call));
                self.leases.insert(row.to_owned(), (lease, ends));
                ends
            }
        }
    }

    /// When the service can no longer execute the create request of an attempt, which was read just now.
    pub(super) fn settled(
        &self,
        attempt: &StoredAttempt,
        clock: Clock,
        until_settled: Duration,
    ) -> Instant {
        let (now, settles_at) = (Instant::now(), attempt.settles_at);
        match self.settling.get(&attempt.id) {
            _ if settles_at == 0 => now,
            Some((known, settled)) if known == settles_at => settled,
            _ => {
                let left = clock.until(settles_at).min(StoredLease::MAX_AHEAD);
                let settled = now + left.max(until_settled);
                self.settling
                    .insert(attempt.id.clone(), (settles_at, settled));
                settled
            }
        }
    }

    /// Notes what this process stores.
    pub(super) fn add(
        &self,
        attempt: &StoredAttempt,
        lease: StoredLease,
        [ends, settled]: [Instant; 2],
    ) {
        self.leases.insert(attempt.id.clone(), (lease, ends));
        let settling = (attempt.settles_at, settled);
        self.settling.insert(attempt.id.clone(), settling);
    }
}

impl Store {
    /// Begins to measure the leases that another process has left, so that later requests wait less. Returns the payments whose
    /// cancellation it has not ended.
    pub(crate) async fn observe(&self) -> Result<Vec<String>> {
        let left = query!(statements::REQUESTED_OR_CANCELLING);
        let clock = self.clock().await?;
        let upstream = &self.config.upstream;
        let (call, until_settled) = (upstream.timeout, upstream.until_settled());
        let mut cancelling = Vec::new();
        for attempt in self.database.rows::<StoredAttempt>(left).await? {
            self.observed.settled(&attempt, clock, until_settled);
            self.observed.ends(&attempt.id, attempt.lease, clock, call);
            if let Stage::Cancelling(payment, _) = attempt.stage
                && attempt.lease.is_held()
            {
                cancelling.push(payment);
            }
        }
        Ok(cancelling)
    }
}
