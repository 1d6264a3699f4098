//! The write of a lease holder.

use tender_protocol::ProblemCode;

use super::stored_attempt::{Columns, Stage, StoredAttempt};
use super::{Claim, REFUSED_RETENTION, RETENTION, claim, statements};
use crate::clock::{Clock, Millis};
use crate::store::database::{self, Session};
use crate::store::lease::{self, Lease};

/// Why something was not written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteError {
    /// The lease expired and another request acquired it.
    #[error("another request took the lease over")]
    LeaseLost,
    /// Another attempt has or had this payment, or it was closed, or it was paid before it was created.
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

impl From<lease::WriteError> for WriteError {
    fn from(error: lease::WriteError) -> Self {
        match error {
            lease::WriteError::LeaseLost => Self::LeaseLost,
            lease::WriteError::Database(error) => error.into(),
        }
    }
}

/// The values that a lease holder writes.
pub(super) struct Write {
    id: String,
    pub(super) columns: Columns,
    /// The payment that the attempt gets by this write.
    gets: Option<String>,
    /// Whether the service has just created that payment. Then no buyer has seen it, so it can't be paid yet.
    pub(super) is_new: bool,
    pub(super) failure: Option<ProblemCode>,
    /// 0 releases the lease.
    pub(super) lease_until: Millis,
    pub(super) called_at: Millis,
    pub(super) settles_at: Millis,
}

impl Write {
    pub(super) fn new(stored: &StoredAttempt, stage: &Stage) -> database::Result<Self> {
        let columns = stage.columns()?;
        let gets = match (&stored.stage, stage) {
            (Stage::Requested, Stage::Created(created)) => Some(created.transaction_id.clone()),
            _ => None,
        };
        Ok(Self {
            id: stored.id.clone(),
            columns,
            gets,
            is_new: false,
            failure: None,
            lease_until: 0,
            called_at: stored.called_at,
            settles_at: stored.settles_at,
        })
    }

    pub(super) async fn execute(
        &self,
        session: &mut Session<'_>,
        lease: Lease,
        clock: Clock,
    ) -> Result<(), WriteError> {
        if let Some(id) = &self.gets {
            match claim::of(session, id, &self.id).await? {
                Claim::Free => {}
                Claim::Paid if !self.is_new => {}
                Claim::Paid | Claim::Taken => return Err(WriteError::Claimed),
            }
        }
        let values = [
            self.id.clone().into(),
            self.columns.stage.into(),
            self.columns.transaction_id.clone().into(),
            self.columns.record.clone().into(),
            self.failure.map(ProblemCode::as_str).into(),
            self.lease_until.into(),
            self.called_at.into(),
            self.settles_at.into(),
            clock.now.into(),
            clock.after(RETENTION).into(),
            clock.after(REFUSED_RETENTION).into(),
        ];
        Ok(lease.write(session, statements::WRITE, values).await?)
    }
}
