//! The leases of attempts, and what their holders store.

use std::time::{Duration, Instant};

use tender_protocol::ProblemCode;

use super::stored_attempt::{Columns, Stage, StoredAttempt};
use super::write::{Write, WriteError};
use super::{AttemptStore, statements};
use crate::clock::{Clock, Deadline};
use crate::config::Config;
use crate::store::database::{self, Session};
use crate::store::lease::{self, StoredLease, Term, ahead};
use crate::store::outbox::Outbox;
use crate::store::payments;

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

/// A granted lease. If it is dropped without being released, the attempt can be resumed after the
/// lease has expired.
pub(crate) struct Lease {
    pub(crate) attempt: StoredAttempt,
    /// Whether the service may have created the payment before this lease was granted.
    pub(crate) in_doubt: bool,
    /// Whether the service may have been called under this lease.
    called: bool,
    /// The time after which a payment that is missing from the service's list will not appear any more.
    settles_at: Instant,
    held: lease::Lease,
}

/// The result that a lease is released with.
pub(crate) enum Outcome {
    /// The attempt reached this stage.
    Stage(Stage),
    /// The attempt failed with this problem.
    Failed {
        code: ProblemCode,
        /// Whether the service certainly did not create the payment under this lease.
        nothing_happened: bool,
    },
}

impl Lease {
    /// The lease of a new attempt.
    pub(super) fn first(attempt: StoredAttempt, held: lease::Lease) -> Self {
        Self {
            settles_at: held.granted().instant(attempt.settles_at),
            attempt,
            in_doubt: false,
            called: false,
            held,
        }
    }

    /// The latest time to send a request.
    pub(crate) fn send_by(&self) -> Deadline {
        self.held.send_by()
    }

    /// The time at which a call is abandoned.
    pub(crate) fn finish_by(&self) -> Instant {
        self.held.finish_by()
    }

    /// The time after which a payment that is missing from the service's list will not appear any
    /// more.
    pub(crate) fn settles_at(&self) -> Instant {
        self.settles_at
    }
}

/// Acquires the lease of an attempt; `None` if another request holds it.
pub(super) async fn acquire(
    session: &mut Session<'_>,
    stored: StoredAttempt,
    clock: Clock,
    timeouts: Timeouts,
) -> database::Result<Option<Lease>> {
    let (claim, id) = (statements::CLAIM_LEASE, stored.id.clone().into());
    let claimed = stored
        .lease
        .claim(session, clock, timeouts.term, claim, [id]);
    let Some(held) = claimed.await? else {
        return Ok(None);
    };
    let mut settles_in = ahead(stored.settles_at, clock);
    if settles_in > StoredLease::MAX_AHEAD.max(timeouts.until_settled()) {
        // The database's clock was set back since the call.
        settles_in = timeouts.until_settled();
    }
    Ok(Some(Lease {
        settles_at: clock.read_at + settles_in,
        attempt: stored,
        in_doubt: true,
        called: false,
        held,
    }))
}

impl AttemptStore {
    /// Extends the lease if it might expire during another call.
    pub(crate) async fn renew(&self, lease: &mut Lease) -> Result<(), WriteError> {
        if !lease.held.needs_renewal() {
            return Ok(());
        }
        let write = Write::new(&lease.attempt, &lease.attempt.stage)?;
        self.extend(lease, write, |_, _| ()).await
    }

    /// Records that the service is about to be called, either for the first time or after a search
    /// has shown that no earlier call created the payment.
    pub(crate) async fn record_call(&self, lease: &mut Lease) -> Result<(), WriteError> {
        lease.called = true;
        // The insert of a new attempt has recorded it already.
        if !lease.held.needs_renewal() && !lease.in_doubt {
            return Ok(());
        }
        let (in_doubt, settled) = (lease.in_doubt, self.timeouts.until_settled());
        let write = Write::new(&lease.attempt, &Stage::Requested)?;
        let set_times = move |write: &mut Write, clock: Clock| {
            if in_doubt {
                write.called_at = clock.now;
            }
            write.settles_at = clock.after(settled);
        };
        self.extend(lease, write, set_times).await?;
        lease.settles_at = lease.held.granted().instant(lease.attempt.settles_at);
        lease.attempt.stage = Stage::Requested;
        Ok(())
    }

    /// Stores a new stage and extends the lease for another call.
    pub(crate) async fn advance(&self, lease: &mut Lease, stage: Stage) -> Result<(), WriteError> {
        let write = Write::new(&lease.attempt, &stage)?;
        self.extend(lease, write, |_, _| ()).await?;
        lease.attempt.stage = stage;
        Ok(())
    }

    async fn extend(
        &self,
        lease: &mut Lease,
        mut write: Write,
        set_times: impl FnOnce(&mut Write, Clock) + Send + 'static,
    ) -> Result<(), WriteError> {
        let held = lease.held;
        let written = self.database.transaction(async move |session| {
            let clock = session.clock().await?;
            set_times(&mut write, clock);
            let renewed = held.renewed(clock);
            write.lease_until = renewed.until();
            write.execute(session, held, clock).await?;
            Ok::<_, WriteError>((renewed, write))
        });
        let (renewed, write) = written.await?;
        lease.held = renewed;
        lease.attempt.called_at = write.called_at;
        lease.attempt.settles_at = write.settles_at;
        Ok(())
    }

    /// Releases the lease. A payment is tracked from now on.
    pub(crate) async fn release(&self, lease: &Lease, outcome: &Outcome) -> Result<(), WriteError> {
        let stored = &lease.attempt;
        let outbox = self.timeouts.outbox;
        let (mut settle, mut first_poll, mut closed) = (None, None, None);
        let mut write = match outcome {
            Outcome::Stage(stage) => {
                let payable = matches!(stage, Stage::Created(_));
                first_poll = payable.then_some(self.timeouts.first_poll);
                closed = match stage {
                    // Only the end of a cancellation that this proxy began is taken back.
                    Stage::Created(_) => {
                        matches!(stored.stage, Stage::Cancelling(_)).then_some(false)
                    }
                    // While its cancellation is not confirmed, no buyer should pay it.
                    Stage::Cancelling(_) | Stage::Ended(Some(_)) => Some(true),
                    _ => None,
                };
                Write::new(stored, stage)?
            }
            Outcome::Failed {
                code,
                nothing_happened,
            } => {
                let refused = *nothing_happened && !lease.in_doubt;
                let stage = if refused {
                    &Stage::Refused
                } else {
                    &stored.stage
                };
                let unclear = lease.called && !nothing_happened;
                settle = unclear.then_some(self.timeouts.settle);
                let mut write = Write::new(stored, stage)?;
                write.failure = Some(*code);
                write
            }
        };
        write.is_new = lease.called;
        let held = lease.held;
        let released = self.database.transaction(async move |session| {
            let clock = session.clock().await?;
            if let Some(settle) = settle {
                write.settles_at = clock.after(settle);
            }
            write.execute(session, held, clock).await?;
            if let Some(first_poll) = first_poll
                && let Columns {
                    transaction_id: Some(transaction_id),
                    record: Some(record),
                    ..
                } = &write.columns
            {
                payments::add_payment(session, clock, transaction_id, record, first_poll, outbox)
                    .await?;
            }
            if let (Some(closed), Some(id)) = (closed, &write.columns.transaction_id) {
                payments::set_closed(session, clock, id, closed, outbox).await?;
            }
            Ok(())
        });
        released.await
    }
}
