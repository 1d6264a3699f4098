//! Finding the attempt of a request, or beginning it.

use sqlx::Row as _;

use super::database::{Clock, Millis};
use super::entry::{self, Entry, Stage};
use super::lease::Lease;
use super::{Created, KEPT, Ledger, Watched, finish, random, statements};
use crate::attempts::{Attempt, IdempotencyKey};

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

/// Why an attempt can't begin.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BeginError {
    /// The key came before, with another request.
    #[error("the key belongs to another request")]
    Mismatch,
    #[error("the ledger can't be used: {0}")]
    Database(#[from] sqlx::Error),
}

impl Ledger {
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
            if attempt.key.is_some() {
                let ended = Stage::Ended(None);
                self.insert(attempt, arrived, clock, ended).await?;
            }
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
}

fn name<'q>(
    key: &IdempotencyKey,
    attempt: &Attempt,
    id: &str,
) -> sqlx::query::Query<'q, sqlx::Any, sqlx::any::AnyArguments> {
    sqlx::query(statements::NAME)
        .bind(key.as_str().to_owned())
        .bind(attempt.request.clone())
        .bind(id.to_owned())
}
