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
mod database;
mod entry;
mod lease;
mod many;
mod merchant;
mod order_of_creation;
mod prune;
mod statements;
mod write;

use std::time::Duration;

use aws_lc_rs::rand;
use sqlx::{Any, AnyPool, Transaction};
use tender_protocol::ProblemCode;

pub(crate) use self::begin::{BeginError, Begun};
pub(crate) use self::database::{Clock, Database, DatabaseError, Millis, millis};
pub(crate) use self::entry::{Created, Entry, Stage};
pub(crate) use self::lease::{Lease, Outcome, Terms};
pub(crate) use self::many::{MANY, of_many, padded};
pub(crate) use self::prune::prune_from_time_to_time;
pub(crate) use self::write::WriteError;

use crate::config;

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
    pub(crate) async fn clock(&self) -> sqlx::Result<Clock> {
        self.database.clock().await
    }

    /// How the lease that a repeat waited for ended, where it ended in a failure.
    pub(crate) async fn failure(&self, watched: &Watched) -> sqlx::Result<Option<ProblemCode>> {
        if !watched.same {
            return Ok(None);
        }
        let entry = self.entry(&watched.id).await?;
        let entry = entry.filter(|entry| entry.fence == watched.fence && entry.lease_until == 0);
        Ok(entry.and_then(|entry| entry.failure))
    }

    /// Finds the attempt of a payment that is to be cancelled.
    pub(crate) async fn begin_cancel(&self, transaction_id: &str) -> sqlx::Result<Cancelling> {
        let clock = self.clock().await?;
        let Some(entry) = self.by_transaction(transaction_id).await? else {
            return Ok(Cancelling::Unknown);
        };
        let (Stage::Answered(created) | Stage::Cancelling(created)) = entry.stage.clone() else {
            return Ok(Cancelling::Unknown);
        };
        let watched = Watched::new(&entry, false);
        let lease = self.take(entry, clock).await?;
        Ok(match lease {
            Some(lease) => Cancelling::Mine(Box::new(lease), created),
            None => Cancelling::Busy(watched),
        })
    }

    /// Whether a payment is an attempt's.
    pub(crate) async fn has(&self, transaction_id: &str) -> sqlx::Result<bool> {
        Ok(self.by_transaction(transaction_id).await?.is_some())
    }

    async fn by_transaction(&self, transaction_id: &str) -> sqlx::Result<Option<Entry>> {
        let row = sqlx::query(statements::BY_TRANSACTION).bind(transaction_id);
        let row = row.fetch_optional(self.pool()).await?;
        row.as_ref().map(Entry::read).transpose()
    }

    /// Takes the lease of an attempt; `None` where someone has it, or the attempt is gone.
    pub(crate) async fn take_by_id(&self, id: &str) -> sqlx::Result<Option<Lease>> {
        let clock = self.clock().await?;
        match self.entry(id).await? {
            Some(entry) => self.take(entry, clock).await,
            None => Ok(None),
        }
    }

    pub(crate) async fn entry(&self, id: &str) -> sqlx::Result<Option<Entry>> {
        let row = sqlx::query(statements::BY_ID).bind(id);
        let row = row.fetch_optional(self.pool()).await?;
        row.as_ref().map(Entry::read).transpose()
    }

    /// A secret that all instances share: random, and made when it is first asked for.
    pub(crate) async fn secret(&self, name: &str) -> sqlx::Result<String> {
        let keep = sqlx::query(statements::KEEP_SECRET).bind(name.to_owned());
        keep.bind(random::<32>()?).execute(self.pool()).await?;
        let secret = sqlx::query_scalar(statements::SECRET).bind(name.to_owned());
        secret.fetch_one(self.pool()).await
    }

    fn pool(&self) -> &AnyPool {
        &self.database.pool
    }
}

async fn finish(transaction: Transaction<'_, Any>, written: bool) -> sqlx::Result<()> {
    if written {
        transaction.commit().await
    } else {
        transaction.rollback().await
    }
}

/// So many random bytes, as text.
fn random<const BYTES: usize>() -> sqlx::Result<String> {
    let mut bytes = [0; BYTES];
    rand::fill(&mut bytes).map_err(|error| sqlx::Error::Encode(error.into()))?;
    Ok(hex::encode(bytes))
}

#[cfg(test)]
mod tests;
