//! The ledger: every attempt to pay, in a database that all instances share.
//!
//! | stage | what is known | who may go on |
//! |---|---|---|
//! | asking, leased | the service is being asked | the holder of the lease |
//! | asking, lease over | the service may have created the payment | who takes the lease, and first looks in the service's list |
//! | answered | the payment and its record | |
//! | cancelling | the payment may be cancelled | who takes the lease, and cancels again |
//! | ended | the payment is cancelled | the order can be paid anew |
//! | refused | the service did nothing | the key and the order are free |
//!
//! A lease is taken by compare-and-set on a counter, the fence, and each write of its holder names the
//! fence: whoever was overtaken writes nothing. The unique index on open attempts holds an order to
//! one of them, whatever the program does.

mod begin;
mod creation_order;
mod lease;
mod merchant;
mod prune;
mod statements;
mod stored_attempt;
mod write;

use std::time::Duration;

use aws_lc_rs::rand;
use tender_protocol::ProblemCode;

pub(crate) use self::begin::{BeginError, BeginOutcome};
pub(crate) use self::lease::{Lease, Outcome, Timeouts};
pub(crate) use self::prune::spawn_pruning;
pub(crate) use self::stored_attempt::{CreatedPayment, Stage, StoredAttempt};
pub(crate) use self::write::WriteError;

use self::lease::acquire;
use crate::config;
use crate::database::{self, Clock, Database, DatabaseError, Session};

/// How long a repeat finds the answer of its attempt, at least.
const RETENTION: Duration = Duration::from_hours(24);

/// All attempts.
pub(crate) struct AttemptStore {
    database: Database,
    timeouts: Timeouts,
}

/// A lease that a request waits for.
pub(crate) struct HeldLease {
    pub(crate) id: String,
    fence: i64,
    /// Whether it is for what the request asks, so that what comes of it is the request's answer.
    same: bool,
}

/// Where a request stands that cancels a payment.
pub(crate) enum CancelStart {
    /// The payment is no open attempt's.
    Unknown,
    /// Someone is at work on its attempt.
    InProgress(HeldLease),
    /// It is this request's turn to cancel it.
    Leased(Box<Lease>, CreatedPayment),
}

impl HeldLease {
    fn new(stored: &StoredAttempt, same: bool) -> Self {
        Self {
            id: stored.id.clone(),
            fence: stored.fence,
            same,
        }
    }
}

impl AttemptStore {
    pub(crate) async fn open(
        config: &config::Database,
        timeouts: Timeouts,
    ) -> Result<Self, DatabaseError> {
        let database = Database::open(config).await?;
        Ok(Self { database, timeouts })
    }

    /// The database that it is kept in, for what else is kept there.
    pub(crate) fn database(&self) -> Database {
        self.database.clone()
    }

    pub(crate) fn timeouts(&self) -> Timeouts {
        self.timeouts
    }

    /// What the database's clock says.
    pub(crate) async fn clock(&self) -> database::Result<Clock> {
        self.database.clock().await
    }

    /// Whether it can be used.
    pub(crate) async fn ready(&self) -> database::Result<()> {
        self.database.ready().await
    }

    /// How the lease that a repeat waited for ended, where it ended in a failure.
    pub(crate) async fn failure(&self, held: &HeldLease) -> database::Result<Option<ProblemCode>> {
        if !held.same {
            return Ok(None);
        }
        let stored = self.find(&held.id).await?;
        let stored = stored.filter(|stored| stored.fence == held.fence && stored.lease_until == 0);
        Ok(stored.and_then(|stored| stored.failure))
    }

    /// Finds the attempt of a payment that is to be cancelled.
    pub(crate) async fn begin_cancel(&self, transaction_id: &str) -> database::Result<CancelStart> {
        let (transaction_id, timeouts) = (transaction_id.to_owned(), self.timeouts);
        let begun = self.database.transaction(move |session| {
            Box::pin(async move {
                let Some(stored) = by_transaction_id(session, &transaction_id).await? else {
                    return Ok(CancelStart::Unknown);
                };
                let (Stage::Answered(created) | Stage::Cancelling(created)) = stored.stage.clone()
                else {
                    return Ok(CancelStart::Unknown);
                };
                let held = HeldLease::new(&stored, false);
                let clock = session.clock().await?;
                Ok(match acquire(session, stored, clock, timeouts).await? {
                    Some(lease) => CancelStart::Leased(Box::new(lease), created),
                    None => CancelStart::InProgress(held),
                })
            })
        });
        begun.await
    }

    /// Whether a payment is an attempt's.
    pub(crate) async fn has_payment(&self, transaction_id: &str) -> database::Result<bool> {
        let transaction_id = transaction_id.to_owned();
        let found = self.database.read(move |session| {
            Box::pin(async move { by_transaction_id(session, &transaction_id).await })
        });
        Ok(found.await?.is_some())
    }

    /// Takes the lease of an attempt; `None` where someone has it, or the attempt is gone.
    pub(crate) async fn acquire_by_id(&self, id: &str) -> database::Result<Option<Lease>> {
        let (id, timeouts) = (id.to_owned(), self.timeouts);
        let taken = self.database.transaction(move |session| {
            Box::pin(async move {
                let clock = session.clock().await?;
                match by_id(session, &id).await? {
                    Some(stored) => acquire(session, stored, clock, timeouts).await,
                    None => Ok(None),
                }
            })
        });
        taken.await
    }

    pub(crate) async fn find(&self, id: &str) -> database::Result<Option<StoredAttempt>> {
        let id = id.to_owned();
        let found = self
            .database
            .read(move |session| Box::pin(async move { by_id(session, &id).await }));
        found.await
    }

    /// A secret that all instances share: random, and made when it is first asked for.
    pub(crate) async fn secret(&self, name: &str) -> database::Result<String> {
        let name = name.to_owned();
        let secret = self.database.transaction(move |session| {
            Box::pin(async move {
                let new = random::<32>()?;
                let values = [(&name).into(), (&new).into()];
                session.execute(statements::INSERT_SECRET, &values).await?;
                let read = |row: &database::Row<'_>| row.text("value");
                let values = [(&name).into()];
                session.row(statements::SECRET, &values, read).await
            })
        });
        let secret = secret.await?;
        secret.ok_or_else(|| database::Error::unreadable("a secret that was just kept is gone"))
    }
}

async fn by_transaction_id(
    session: &mut Session,
    id: &str,
) -> database::Result<Option<StoredAttempt>> {
    let values = [id.into()];
    let found = session.row(statements::BY_TRANSACTION, &values, StoredAttempt::read);
    found.await
}

async fn by_id(session: &mut Session, id: &str) -> database::Result<Option<StoredAttempt>> {
    let values = [id.into()];
    session
        .row(statements::BY_ID, &values, StoredAttempt::read)
        .await
}

/// So many random bytes, as text.
fn random<const BYTES: usize>() -> database::Result<String> {
    let mut bytes = [0; BYTES];
    rand::fill(&mut bytes).map_err(database::Error::unwritable)?;
    Ok(hex::encode(bytes))
}

#[cfg(test)]
mod tests;
