//! What the holder of a lease writes, while it is the holder.

use sqlx::AnyExecutor;
use tender_protocol::ProblemCode;

use super::database::{Clock, Millis};
use super::entry::{Columns, Entry, Stage};
use super::{KEPT, statements};

/// Why something was not written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteError {
    /// The lease was over, and another took it.
    #[error("another took the lease")]
    LeaseLost,
    /// The payment is another attempt's.
    #[error("the payment is another attempt's")]
    Claimed,
    #[error("the ledger can't be used: {0}")]
    Database(sqlx::Error),
}

impl From<sqlx::Error> for WriteError {
    fn from(error: sqlx::Error) -> Self {
        let database = error.as_database_error();
        if database.is_some_and(sqlx::error::DatabaseError::is_unique_violation) {
            Self::Claimed
        } else {
            Self::Database(error)
        }
    }
}

/// What the holder of a lease writes.
pub(super) struct Write<'a> {
    pub(super) entry: &'a Entry,
    pub(super) columns: Columns,
    pub(super) failure: Option<ProblemCode>,
    pub(super) lease_until: Millis,
    pub(super) settles_at: Millis,
    clock: Clock,
}

impl<'a> Write<'a> {
    pub(super) fn new(entry: &'a Entry, stage: &Stage, clock: Clock) -> sqlx::Result<Self> {
        Ok(Self {
            entry,
            columns: stage.columns()?,
            failure: None,
            lease_until: 0,
            settles_at: entry.settles_at,
            clock,
        })
    }

    pub(super) async fn execute(&self, executor: impl AnyExecutor<'_>) -> Result<(), WriteError> {
        let written = sqlx::query(statements::WRITE)
            .bind(self.entry.id.clone())
            .bind(self.entry.fence)
            .bind(self.columns.stage)
            .bind(self.columns.transaction_id.clone())
            .bind(self.columns.record.clone())
            .bind(self.failure.map(ProblemCode::as_str))
            .bind(self.lease_until)
            .bind(self.entry.asked_at)
            .bind(self.settles_at)
            .bind(self.clock.now)
            .bind(self.clock.after(KEPT))
            .execute(executor)
            .await?;
        if written.rows_affected() == 1 {
            Ok(())
        } else {
            Err(WriteError::LeaseLost)
        }
    }
}
