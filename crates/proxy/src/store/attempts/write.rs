//! The write of a lease holder.

use tender_protocol::ProblemCode;

use super::stored_attempt::{Columns, Stage, StoredAttempt};
use super::{REFUSED_RETENTION, RETENTION, statements};
use crate::store::database::{self, Clock, Millis, Session, query};

/// Why something was not written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteError {
    /// The lease expired and another request acquired it.
    #[error("another request took the lease over")]
    LeaseLost,
    /// Another attempt has this payment.
    #[error("the payment belongs to another attempt")]
    Claimed,
    #[error("the database can't be used: {0}")]
    Database(database::Error),
}

impl From<database::Error> for WriteError {
    fn from(error: database::Error) -> Self {
        if error.is_unique_violation() {
            Self::Claimed
        } else {
            Self::Database(error)
        }
    }
}

/// The values that a lease holder writes.
pub(super) struct Write {
    id: String,
    fence: i64,
    pub(super) columns: Columns,
    pub(super) failure: Option<ProblemCode>,
    /// 0 releases the lease.
    pub(super) lease_until: Millis,
    pub(super) called_at: Millis,
    pub(super) settles_at: Millis,
}

impl Write {
    pub(super) fn new(stored: &StoredAttempt, stage: &Stage) -> database::Result<Self> {
        Ok(Self {
            id: stored.id.clone(),
            fence: stored.fence,
            columns: stage.columns()?,
            failure: None,
            lease_until: 0,
            called_at: stored.called_at,
            settles_at: stored.settles_at,
        })
    }

    pub(super) async fn execute(
        &self,
        session: &mut Session<'_>,
        clock: Clock,
    ) -> Result<(), WriteError> {
        let write = query!(
            statements::WRITE,
            self.id.clone(),
            self.fence,
            self.columns.stage,
            self.columns.transaction_id.clone(),
            self.columns.record.clone(),
            self.failure.map(ProblemCode::as_str),
            self.lease_until,
            self.called_at,
            self.settles_at,
            clock.now,
            clock.after(RETENTION),
            clock.after(REFUSED_RETENTION),
        );
        match session.execute(write).await? {
            1 => Ok(()),
            _ => Err(WriteError::LeaseLost),
        }
    }

    /// Removes the payment from the other attempts that had it.
    pub(super) async fn unassign(&self, session: &mut Session<'_>) -> database::Result<()> {
        let transaction_id = self.columns.transaction_id.clone();
        let unassign = query!(statements::UNASSIGN, transaction_id, self.id.clone());
        session.execute(unassign).await.map(drop)
    }
}
