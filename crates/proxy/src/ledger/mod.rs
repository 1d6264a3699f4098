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

mod database;
mod entry;
mod lease;
mod order_of_creation;
mod prune;
mod statements;

use std::time::Duration;

use aws_lc_rs::rand;
use sqlx::{Any, AnyPool, Transaction};
use tender_protocol::ProblemCode;

pub(crate) use self::database::{Clock, DatabaseError, Millis};
pub(crate) use self::entry::{Created, Entry, Stage};
pub(crate) use self::lease::{Lease, Outcome, Terms, WriteError};
pub(crate) use self::prune::prune_from_time_to_time;

use self::database::Database;
use crate::attempts::{Attempt, IdempotencyKey};
use crate::config;

/// How long a repeat finds the answer of its attempt, at least.
const KEPT: Duration = Duration::from_hours(24);

/// All attempts.
pub(crate) struct Ledger {
    database: Database,
    terms: Terms,
}

/// Where a request stands that begins an attempt.
pub(crate) enum Begun {
    /// It was answered before.
    Answered(Created),
    /// Its payment was cancelled, or a later choice of the buyer's took its place.
    Ended,
    /// Someone is at work.
    Busy(Watched),
    /// It is this request's turn to ask the service.
    Mine(Lease),
    /// The order's payment has to be cancelled before there can be another.
    Occupied(Lease),
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

/// Why an attempt can't begin.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BeginError {
    /// The key came before, with another request.
    #[error("the key belongs to another request")]
    Mismatch,
    #[error("the ledger can't be used: {0}")]
    Database(#[from] sqlx::Error),
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

    pub(crate) fn terms(&self) -> Terms {
        self.terms
    }

    /// What the database's clock says.
    pub(crate) async fn clock(&self) -> sqlx::Result<Clock> {
        self.database.clock().await
    }

    /// Finds or begins the attempt of a request that arrived at `arrived`.
    pub(crate) async fn begin(
        &self,
        attempt: &Attempt,
        arrived: Millis,
    ) -> Result<Begun, BeginError> {
        loop {
            let clock = self.clock().await?;
            if let Some(key) = &attempt.key
                && let Some(begun) = self.begun_by_key(key, attempt, clock).await?
            {
                return Ok(begun);
            }
            if let Some(begun) = self.begun_by_order(attempt, arrived, clock).await? {
                return Ok(begun);
            }
            if let Some(lease) = self.insert(attempt, arrived, clock, Stage::Asking).await? {
                return Ok(Begun::Mine(lease));
            }
            // Another request was quicker: see what it began.
        }
    }

    async fn begun_by_key(
        &self,
        key: &IdempotencyKey,
        attempt: &Attempt,
        clock: Clock,
    ) -> Result<Option<Begun>, BeginError> {
        use sqlx::Row as _;

        let row = sqlx::query(statements::BY_KEY).bind(key.as_str());
        let Some(row) = row.fetch_optional(self.pool()).await? else {
            return Ok(None);
        };
        let entry = Entry::read(&row)?;
        let free = matches!(entry.stage, Stage::Refused);
        if !free && row.try_get::<String, _>("key_request")? != attempt.request {
            return Err(BeginError::Mismatch);
        }
        self.keep(&entry, attempt).await?;
        Ok(match entry.stage {
            Stage::Answered(created) => Some(Begun::Answered(created)),
            Stage::Asking => Some(self.take_over(entry, clock).await?),
            Stage::Cancelling(_) | Stage::Ended(_) => Some(Begun::Ended),
            Stage::Refused => None,
        })
    }

    async fn begun_by_order(
        &self,
        attempt: &Attempt,
        arrived: Millis,
        clock: Clock,
    ) -> Result<Option<Begun>, BeginError> {
        let Some(order) = &attempt.order else {
            return Ok(None);
        };
        let row = sqlx::query(statements::OPEN_OF_ORDER).bind(&*order.id);
        let Some(row) = row.fetch_optional(self.pool()).await? else {
            return Ok(None);
        };
        let entry = Entry::read(&row)?;
        self.keep(&entry, attempt).await?;
        let same = entry.choice == attempt.choice;
        if same && matches!(entry.stage, Stage::Answered(_) | Stage::Asking) {
            if let Some(key) = &attempt.key {
                let name = name(key, attempt, &entry.id);
                name.execute(self.pool()).await?;
            }
            return Ok(Some(match entry.stage {
                Stage::Answered(created) => Begun::Answered(created),
                _ => self.take_over(entry, clock).await?,
            }));
        }
        if !same && entry.begun_at > arrived {
            // This request waited, and meanwhile the buyer chose otherwise: so it is for its key,
            // whenever another copy of it comes.
            self.insert(attempt, arrived, clock, Stage::Ended(None))
                .await?;
            return Ok(Some(Begun::Ended));
        }
        let watched = Watched::new(&entry, false);
        let taken = self.take(entry, clock).await?;
        Ok(Some(taken.map_or(Begun::Busy(watched), Begun::Occupied)))
    }

    /// Keeps all attempts of an order for as long as it can be paid.
    async fn keep(&self, entry: &Entry, attempt: &Attempt) -> sqlx::Result<()> {
        if let Some(order) = &attempt.order
            && entry.kept_until < order.payable_until
        {
            let keep = sqlx::query(statements::KEEP).bind(&*order.id);
            keep.bind(order.payable_until).execute(self.pool()).await?;
        }
        Ok(())
    }

    /// Takes an attempt whose holder is gone.
    async fn take_over(&self, entry: Entry, clock: Clock) -> sqlx::Result<Begun> {
        let watched = Watched::new(&entry, true);
        let taken = self.take(entry, clock).await?;
        Ok(taken.map_or(Begun::Busy(watched), Begun::Mine))
    }

    /// Writes a new attempt; `None` where the order or the key has one.
    async fn insert(
        &self,
        attempt: &Attempt,
        arrived: Millis,
        clock: Clock,
        stage: Stage,
    ) -> sqlx::Result<Option<Lease>> {
        let order = attempt.order.as_ref();
        let entry = Entry {
            id: random::<16>()?,
            request: attempt.payment.clone(),
            signed: order.is_some(),
            stage,
            choice: attempt.choice.clone(),
            begun_at: arrived,
            fence: 1,
            lease_until: clock.after(self.terms.lease()),
            asked_at: clock.now,
            settles_at: clock.after(self.terms.settled()),
            failure: None,
            kept_until: clock
                .after(KEPT)
                .max(order.map_or(0, |order| order.payable_until)),
        };
        let insert = sqlx::query(statements::INSERT)
            .bind(entry.id.clone())
            .bind(order.map(|order| order.id.clone()))
            .bind(entry.choice.clone())
            .bind(entry::to_json(&entry.request)?)
            .bind(entry.begun_at)
            .bind(entry.stage.columns()?.stage)
            .bind(entry.lease_until)
            .bind(entry.asked_at)
            .bind(entry.settles_at)
            .bind(entry.kept_until);
        let mut transaction = self.database.begin().await?;
        let mut written = insert.execute(&mut *transaction).await?.rows_affected() == 1;
        if written && let Some(key) = &attempt.key {
            let name = name(key, attempt, &entry.id);
            written = name.execute(&mut *transaction).await?.rows_affected() == 1;
        }
        finish(transaction, written).await?;
        Ok(written.then(|| Lease::new(entry, clock, false)))
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

fn name<'q>(
    key: &IdempotencyKey,
    attempt: &Attempt,
    id: &str,
) -> sqlx::query::Query<'q, Any, sqlx::any::AnyArguments> {
    sqlx::query(statements::NAME)
        .bind(key.as_str().to_owned())
        .bind(attempt.request.clone())
        .bind(id.to_owned())
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
