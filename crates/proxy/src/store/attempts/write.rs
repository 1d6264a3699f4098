//! The write of a lease holder.

use tender_protocol::ProblemCode;

use super::stored_attempt::{Columns, Stage, StoredAttempt};
use super::{RETENTION, statements};
use crate::store::database::{self, Clock, Millis, Session};

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
    pub(super) asked_at: Millis,
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
            asked_at: stored.asked_at,
            settles_at: stored.settles_at,
        })
    }

    pub(super) async fn execute(
        &self,
        session: &mut Session,
        clock: Clock,
    ) -> Result<(), WriteError> {
        let values = [
            (&self.id).into(),
            self.fence.into(),
            self.columns.stage.into(),
            self.columns.transaction_id.as_ref().into(),
            self.columns.record.as_ref().into(),
            self.failure.map(ProblemCode::as_str).into(),
            self.lease_until.into(),
            self.asked_at.into(),
            self.settles_at.into(),
            clock.now.into(),
            clock.after(RETENTION).into(),
        ];
        match session.execute(statements::WRITE, &values).await? {
            1 => Ok(()),
            _ => Err(WriteError::LeaseLost),
        }
    }

    /// Removes the payment from the other attempts that had it.
    pub(super) async fn unassign(&self, session: &mut Session) -> database::Result<()> {
        let values = [
            self.columns.transaction_id.as_ref().into(),
            (&self.id).into(),
        ];
        session.execute(statements::UNASSIGN, &values).await?;
        Ok(())
    }
}
