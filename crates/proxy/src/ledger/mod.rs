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
mod entry;
mod lease;
mod merchant;
mod order_of_creation;
mod prune;
mod statements;
mod write;

use std::time::Duration;

use aws_lc_rs::rand;
use tender_protocol::ProblemCode;

pub(crate) use self::begin::{BeginError, Begun};
pub(crate) use self::entry::{Created, Entry, Stage};
pub(crate) use self::lease::{Lease, Outcome, Terms};
pub(crate) use self::prune::prune_from_time_to_time;
pub(crate) use self::write::WriteError;

use self::lease::take;
use crate::config;
use crate::database::{self, Clock, Database, DatabaseError, Session};

/// How long a repeat finds the answer of its attempt, at least.
const KEPT: Duration = Duration::from_hours(24);

/// All attempts.
pub(crate) struct Ledger {
    database: Database,
    terms: Terms,
}

/// A lease that a request waits for.
pub(crate) struct Watched {
    pub(crate) id: String,
    fence: i64,
    /// Whether it is for what the request asks, so that what comes of it is the request's answer.
    same: bool,
}

/// Where a request stands that cancels a payment.
pub(crate) enum Cancelling {
    /// The payment is no open attempt's.
    Unknown,
    /// Someone is at work on its attempt.
    Busy(Watched),
    /// It is this request's turn to cancel it.
    Mine(Box<Lease>, Created),
}

impl Watched {
    fn new(entry: &Entry, same: bool) -> Self {
        Self {
            id: entry.id.clone(),
            fence: entry.fence,
            same,
        }
    }
}

impl Ledger {
    pub(crate) async fn open(
        config: &config::Database,
        terms: Terms,
    ) -> Result<Self, DatabaseError> {
        let database = Database::open(config).await?;
        Ok(Self { database, terms })
    }

    /// The database that it is kept in, for what else is kept there.
    pub(crate) fn database(&self) -> Database {
        self.database.clone()
    }

    pub(crate) fn terms(&self) -> Terms {
        self.terms
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
    pub(crate) async fn failure(&self, watched: &Watched) -> database::Result<Option<ProblemCode>> {
        if !watched.same {
            return Ok(None);
        }
        let entry = self.entry(&watched.id).await?;
        let entry = entry.filter(|entry| entry.fence == watched.fence && entry.lease_until == 0);
        Ok(entry.and_then(|entry| entry.failure))
    }

    /// Finds the attempt of a payment that is to be cancelled.
    pub(crate) async fn begin_cancel(&self, transaction_id: &str) -> database::Result<Cancelling> {
        let (transaction_id, terms) = (transaction_id.to_owned(), self.terms);
        let begun = self.database.run(move |session| {
            Box::pin(async move {
                let Some(entry) = by_transaction(session, &transaction_id).await? else {
                    return Ok(Cancelling::Unknown);
                };
                let (Stage::Answered(created) | Stage::Cancelling(created)) = entry.stage.clone()
                else {
                    return Ok(Cancelling::Unknown);
                };
                let watched = Watched::new(&entry, false);
                let clock = session.clock().await?;
                Ok(match take(session, entry, clock, terms).await? {
                    Some(lease) => Cancelling::Mine(Box::new(lease), created),
                    None => Cancelling::Busy(watched),
                })
            })
        });
        begun.await
    }

    /// Whether a payment is an attempt's.
    pub(crate) async fn has(&self, transaction_id: &str) -> database::Result<bool> {
        let transaction_id = transaction_id.to_owned();
        let found = self.database.look(move |session| {
            Box::pin(async move { by_transaction(session, &transaction_id).await })
        });
        Ok(found.await?.is_some())
    }

    /// Takes the lease of an attempt; `None` where someone has it, or the attempt is gone.
    pub(crate) async fn take_by_id(&self, id: &str) -> database::Result<Option<Lease>> {
        let (id, terms) = (id.to_owned(), self.terms);
        let taken = self.database.run(move |session| {
            Box::pin(async move {
                let clock = session.clock().await?;
                match by_id(session, &id).await? {
                    Some(entry) => take(session, entry, clock, terms).await,
                    None => Ok(None),
                }
            })
        });
        taken.await
    }

    pub(crate) async fn entry(&self, id: &str) -> database::Result<Option<Entry>> {
        let id = id.to_owned();
        let found = self
            .database
            .look(move |session| Box::pin(async move { by_id(session, &id).await }));
        found.await
    }

    /// A secret that all instances share: random, and made when it is first asked for.
    pub(crate) async fn secret(&self, name: &str) -> database::Result<String> {
        let name = name.to_owned();
        let secret = self.database.run(move |session| {
            Box::pin(async move {
                let new = random::<32>()?;
                let values = [(&name).into(), (&new).into()];
                session.execute(statements::KEEP_SECRET, &values).await?;
                let read = |row: &database::Row<'_>| row.text("value");
                let values = [(&name).into()];
                session.row(statements::SECRET, &values, read).await
            })
        });
        let secret = secret.await?;
        secret.ok_or_else(|| database::Error::unreadable("a secret that was just kept is gone"))
    }
}

async fn by_transaction(session: &mut Session, id: &str) -> database::Result<Option<Entry>> {
    let values = [id.into()];
    let found = session.row(statements::BY_TRANSACTION, &values, Entry::read);
    found.await
}

async fn by_id(session: &mut Session, id: &str) -> database::Result<Option<Entry>> {
    let values = [id.into()];
    session.row(statements::BY_ID, &values, Entry::read).await
}

/// So many random bytes, as text.
fn random<const BYTES: usize>() -> database::Result<String> {
    let mut bytes = [0; BYTES];
    rand::fill(&mut bytes).map_err(database::Error::unwritable)?;
    Ok(hex::encode(bytes))
}

#[cfg(test)]
mod tests;
