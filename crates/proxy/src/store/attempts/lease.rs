//! The leases of attempts.

use std::time::{Duration, Instant};

use tender_ledger::{Asked, Stage};

use super::statements;
use super::stored::StoredAttempt;
use crate::clock::{Clock, Deadline};
use crate::config::Config;
use crate::store::database::{self, Session};
use crate::store::lease::{Lease, StoredLease, Term, WriteError, ahead};
use crate::store::outbox::Outbox;

/// Timeouts that leases and calls depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeouts {
    /// How long leases last, and calls to the service.
    pub(crate) term: Term,
    /// How long after a call without a response the service may still execute it.
    pub(crate) settle: Duration,
    /// How long after a payment was created the service's list is first polled for it.
    pub(crate) first_poll: Duration,
    /// How long an order is remembered after its attempt was pruned.
    pub(crate) order_memory: Duration,
    /// Whether events for the shop's backend are written.
    pub(crate) outbox: Outbox,
}

impl Timeouts {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            term: Term::for_calls(config.upstream.timeout),
            settle: config.upstream.settle,
            first_poll: config.tracking.poll_interval,
            order_memory: config.store.order_memory,
            outbox: Outbox::new(config),
        }
    }

    pub(crate) fn lease(self) -> Duration {
        self.term.length()
    }

    /// From the start of a call until the service can no longer execute it.
    pub(super) fn until_settled(self) -> Duration {
        self.term.call + self.settle
    }
}

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
pub(super) async fn acquire(
    session: &mut Session<'_>,
    stored: StoredAttempt,
    clock: Clock,
    timeouts: Timeouts,
) -> database::Result<Option<Held>> {
    let (claim, id) = (statements::CLAIM_LEASE, stored.id.clone().into());
    let claimed = stored
        .lease
        .claim(session, clock, timeouts.term, claim, [id]);
    let Some(lease) = claimed.await? else {
        return Ok(None);
    };
    let mut settles_in = ahead(stored.settles_at, clock);
    if settles_in > StoredLease::MAX_AHEAD.max(timeouts.until_settled()) {
        // The database's clock was set back since the call.
        settles_in = timeouts.until_settled();
    }
    Ok(Some(Held {
        settles_at: clock.read_at + settles_in,
        attempt: stored,
        lease,
    }))
}

impl super::AttemptStore {
    /// Extends the lease if it might expire during another call.
    ///
    /// # Errors
    /// [`WriteError::LeaseLost`] if another request has taken the attempt over.
    pub(crate) async fn renew(&self, held: &mut Held) -> Result<(), WriteError> {
        if !held.lease.needs_renewal() {
            return Ok(());
        }
        let (lease, id) = (held.lease, held.attempt.id.clone());
        let renewed = self.database.transaction(async move |session| {
            let renewed = lease.renewed(session.clock().await?);
            let values = [id.into(), renewed.until().into()];
            lease.write(session, statements::RENEW, values).await?;
            Ok::<_, WriteError>(renewed)
        });
        held.lease = renewed.await?;
        Ok(())
    }
}
