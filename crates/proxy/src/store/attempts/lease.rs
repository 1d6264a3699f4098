//! The leases of attempts.

use std::time::Instant;

use tender_ledger::{Asked, Stage};

use super::statements;
use super::stored::StoredAttempt;
use crate::clock::Deadline;
use crate::store::database::Result;
use crate::store::lease::{Lease, StoredLease, ahead};
use crate::store::{Store, Transaction};

/// An attempt whose lease is granted. If it is dropped before an answer is stored, the attempt can be resumed after the
/// lease has expired.
pub(crate) struct Held {
    pub(crate) attempt: StoredAttempt,
    /// The time after which a payment that is missing from the service's list will not appear any more.
    pub(crate) settles_at: Instant,
    pub(super) lease: Lease,
}

impl Held {
    /// Whether the attempt was stored just now.
    pub(crate) fn is_new(&self) -> bool {
        self.attempt.stage == Stage::Requested(Asked::Once)
    }

    /// The latest time to send a request.
    pub(crate) fn send_by(&self) -> Deadline {
        self.lease.send_by()
    }

    /// The time at which a call is abandoned.
    pub(crate) fn finish_by(&self) -> Instant {
        self.lease.finish_by()
    }
}

/// Acquires the lease of an attempt; `None` if another request holds it.
pub(super) async fn acquire(tx: &mut Transaction, stored: StoredAttempt) -> Result<Option<Held>> {
    let (clock, settings) = (tx.clock, tx.settings);
    let (claim, id) = (statements::CLAIM_LEASE, stored.id.clone().into());
    let lease = stored.lease.claim(tx, clock, settings.term, claim, [id]);
    let Some(lease) = lease.await? else {
        return Ok(None);
    };
    let mut settles_in = ahead(stored.settles_at, clock);
    if settles_in > StoredLease::MAX_AHEAD.max(settings.until_settled()) {
        // The database's clock was set back since the call.
        settles_in = settings.until_settled();
    }
    Ok(Some(Held {
        settles_at: clock.read_at + settles_in,
        attempt: stored,
        lease,
    }))
}

impl Store {
    /// Extends the lease if it might expire during another call.
    ///
    /// # Errors
    /// [`Error::LeaseLost`](crate::store::database::Error::LeaseLost) if another request has taken the attempt over.
    pub(crate) async fn renew_attempt(&self, held: &mut Held) -> Result<()> {
        if held.lease.needs_renewal() {
            let id = held.attempt.id.clone().into();
            held.lease = self.renewed(held.lease, statements::RENEW, [id]).await?;
        }
        Ok(())
    }
}
