//! The right, and the duty, to work on an attempt, for a while.

use std::time::{Duration, Instant};

use tender_protocol::ProblemCode;

use super::database::Clock;
use super::entry::{Entry, Stage};
use super::write::{Write, WriteError};
use super::{Ledger, finish, statements};
use crate::config::Config;

/// How long things may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// One call to the service, from its start to the end of its answer.
    pub(crate) call: Duration,
    /// How long after a call that brought no answer the service may still carry it out.
    pub(crate) settle: Duration,
    /// How much longer a lease is than a call: enough to write down what came of it.
    pub(crate) margin: Duration,
}

impl Terms {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            call: config.upstream_timeout,
            settle: config.upstream_settle,
            margin: Duration::from_secs(2),
        }
    }

    pub(crate) fn lease(self) -> Duration {
        self.call + self.margin
    }

    /// From the start of a call to the end of what may come of it.
    pub(super) fn settled(self) -> Duration {
        self.call + self.settle
    }
}

/// A lease that was granted. One that is dropped unsettled leaves its attempt to whoever comes
/// when its time is over.
pub(crate) struct Lease {
    pub(crate) entry: Entry,
    /// Whether the service may have created the payment before this lease.
    pub(crate) in_doubt: bool,
    /// Whether the service may have been asked under it.
    asked: bool,
    granted: Clock,
}

/// How a lease ends.
pub(crate) enum Outcome {
    /// The attempt has come to this stage.
    Stage(Stage),
    /// It has come to nothing, for this reason.
    Failed {
        code: ProblemCode,
        /// Whether the service certainly did not create the payment this time.
        nothing_happened: bool,
    },
}

impl Lease {
    pub(super) fn new(entry: Entry, granted: Clock, in_doubt: bool) -> Self {
        Self {
            entry,
            in_doubt,
            asked: false,
            granted,
        }
    }

    /// When the service must have been asked. A call has the rest of its time to be carried out:
    /// one that starts later might outlive the lease.
    pub(crate) fn ask_by(&self, terms: Terms) -> Instant {
        self.granted.asked + terms.call / 2
    }

    /// When a call must be over.
    pub(crate) fn over_by(&self, terms: Terms) -> Instant {
        self.granted.asked + terms.call
    }

    /// From when on a payment that is not in the service's list is not coming any more.
    pub(crate) fn settles_at(&self) -> Instant {
        self.granted.instant(self.entry.settles_at)
    }
}

impl Ledger {
    /// Takes the lease of an attempt; `None` where someone has it.
    pub(super) async fn take(&self, mut entry: Entry, clock: Clock) -> sqlx::Result<Option<Lease>> {
        if entry.is_leased(clock.now) {
            return Ok(None);
        }
        let until = clock.after(self.terms.lease());
        let taken = sqlx::query(statements::TAKE)
            .bind(entry.id.clone())
            .bind(entry.fence)
            .bind(until)
            .bind(clock.now)
            .execute(self.pool())
            .await?;
        entry.fence += 1;
        entry.lease_until = until;
        let taken = taken.rows_affected() == 1;
        Ok(taken.then(|| Lease::new(entry, clock, true)))
    }

    /// Makes sure that the lease outlasts another call.
    pub(crate) async fn renew(&self, lease: &mut Lease) -> Result<(), WriteError> {
        if lease.granted.asked.elapsed() < self.terms.call / 4 {
            return Ok(());
        }
        let clock = self.clock().await?;
        self.hold(lease, lease.entry.stage.clone(), clock).await
    }

    /// Writes that the service is going to be asked: for the first time, or after a search that says
    /// that nothing came of the calls before.
    pub(crate) async fn before_asking(&self, lease: &mut Lease) -> Result<(), WriteError> {
        let fresh = lease.granted.asked.elapsed() < self.terms.call / 4;
        lease.asked = true;
        // A new attempt was written with that.
        if fresh && !lease.in_doubt {
            return Ok(());
        }
        let clock = self.clock().await?;
        if lease.in_doubt {
            lease.entry.asked_at = clock.now;
        }
        lease.entry.settles_at = clock.after(self.terms.settled());
        self.hold(lease, Stage::Asking, clock).await
    }

    /// Writes what was found or will be done, and keeps the lease for a call more.
    pub(crate) async fn advance(&self, lease: &mut Lease, stage: Stage) -> Result<(), WriteError> {
        let clock = self.clock().await?;
        self.hold(lease, stage, clock).await
    }

    async fn hold(&self, lease: &mut Lease, stage: Stage, clock: Clock) -> Result<(), WriteError> {
        let mut write = Write::new(&lease.entry, &stage, clock)?;
        write.lease_until = clock.after(self.terms.lease());
        write.execute(self.pool()).await?;
        lease.entry.stage = stage;
        lease.granted = clock;
        Ok(())
    }

    /// Ends the lease.
    pub(crate) async fn settle(&self, lease: &Lease, outcome: &Outcome) -> Result<(), WriteError> {
        let clock = self.clock().await?;
        let entry = &lease.entry;
        let write = match outcome {
            Outcome::Stage(stage) => Write::new(entry, stage, clock)?,
            Outcome::Failed {
                code,
                nothing_happened,
            } => {
                let refused = *nothing_happened && !lease.in_doubt;
                let stage = if refused {
                    &Stage::Refused
                } else {
                    &entry.stage
                };
                let mut write = Write::new(entry, stage, clock)?;
                write.failure = Some(*code);
                if lease.asked && !nothing_happened {
                    write.settles_at = clock.after(self.terms.settle);
                }
                write
            }
        };
        match write.execute(self.pool()).await {
            Err(WriteError::Claimed) => self.write_and_disown(&write).await,
            written => written,
        }
    }

    /// Of two attempts to which the service gave the same payment, it is the later one's.
    async fn write_and_disown(&self, write: &Write<'_>) -> Result<(), WriteError> {
        let mut transaction = self.database.begin().await?;
        sqlx::query(statements::DISOWN)
            .bind(write.columns.transaction_id.clone())
            .bind(write.entry.id.clone())
            .execute(&mut *transaction)
            .await?;
        let written = write.execute(&mut *transaction).await;
        finish(transaction, written.is_ok()).await?;
        written
    }
}
