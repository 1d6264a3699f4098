//! Leases: the exclusive right to work on a row for a limited time.
//!
//! Such a row has two columns:
//!
//! | column | contents |
//! |---|---|
//! | `fence` | the fencing number: counts the leases of the row |
//! | `lease_until` | when the latest lease ends, by the database's clock; 0 if it was released |
//!
//! - **Claim.** A lease that has ended is claimed by compare-and-set on both columns, so one of several competing
//!   claims succeeds, and none after a renewal. [`claim_lease!`] is the statement.
//! - **Fencing.** Each write of the holder names its fencing number ([`Lease::write`]), so a holder
//!   can't write once another one has claimed the lease. If its lease has ended and there is no
//!   later one, it still can.
//! - **Renewal.** A lease is longer than a call to the service, and the holder renews it before another
//!   call if a quarter of a call has passed.
//! - **Clock.** A process that wants to claim a lease measures it ([`crate::store::attempts::Observed`]). It is not compared with the database's
//!   clock, which may jump.

use std::time::Duration;

use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};

use crate::clock::{Clock, Deadline, Instant, Millis};
use crate::store::Store;
use crate::store::database::{Error, Query, Result, Session, Value};

/// A statement that claims the lease of a row: it sets the lease and what else is named here, where the
/// lease has not changed and the further condition holds. Its first values are the fencing number and
/// the end that were read, and the new end.
macro_rules! claim_lease {
    ($table:literal, $set:literal, $where:literal) => {
        concat!(
            "UPDATE ",
            $table,
            " SET fence = fence + 1, lease_until = $3, ",
            $set,
            " WHERE fence = $1 AND lease_until = $2 ",
            $where
        )
    };
}
pub(crate) use claim_lease;

/// How much longer a lease lasts than a call: enough to store its result.
const MARGIN: Duration = Duration::from_secs(2);

/// How long a lease lasts for calls with this timeout, which includes the response.
pub(crate) fn length(call: Duration) -> Duration {
    call + MARGIN
}

/// The lease of a row as it was when the row was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StoredLease {
    pub(crate) fence: i64,
    pub(crate) until: Millis,
}

impl FromRow<'_, AnyRow> for StoredLease {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        Ok(Self {
            fence: row.try_get("fence")?,
            until: row.try_get("lease_until")?,
        })
    }
}

impl StoredLease {
    /// The furthest end of a lease: longer than the timeout of any call in practice. After the
    /// database's clock was set back, no lease blocks a row for longer than this.
    pub(crate) const MAX_AHEAD: Duration = Duration::from_mins(10);

    /// How long a lease for calls with this timeout lasts by the row.
    pub(crate) fn ends_in(self, clock: Clock, call: Duration) -> Duration {
        let ahead = clock.until(self.until);
        if ahead > Self::MAX_AHEAD.max(length(call)) {
            Duration::ZERO
        } else {
            ahead
        }
    }

    /// Whether it was not released. A process that wants to claim it measures its end.
    pub(crate) fn is_held(self) -> bool {
        self.until != 0
    }

    /// Whether it was released after the lease of this fencing number.
    pub(crate) fn is_released(self, fence: i64) -> bool {
        self.fence == fence && self.until == 0
    }

    /// Claims the lease, which has ended, with a statement of [`claim_lease!`] and its further values; `None` if it has changed.
    pub(crate) async fn claim(
        self,
        session: &mut Session,
        clock: Clock,
        call: Duration,
        statement: &'static str,
        further: impl IntoIterator<Item = Value>,
    ) -> Result<Option<Lease>> {
        let lease = Lease {
            fence: self.fence.saturating_add(1),
            call,
            granted: clock,
        };
        let values = [self.fence, self.until, lease.until()].map(Value::from);
        let values = values.into_iter().chain(further);
        let claimed = session.execute(Query::new(statement, values)).await?;
        Ok((claimed == 1).then_some(lease))
    }
}

/// A granted lease. If it is dropped without being released, it ends by itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lease {
    fence: i64,
    /// Timeout of one call.
    call: Duration,
    granted: Clock,
}

impl Lease {
    /// The first lease of a row that is inserted with the fencing number 1.
    pub(crate) fn first(granted: Clock, call: Duration) -> Self {
        Self {
            fence: 1,
            call,
            granted,
        }
    }

    /// The columns of the row.
    pub(crate) fn stored(&self) -> StoredLease {
        StoredLease {
            fence: self.fence,
            until: self.until(),
        }
    }

    /// The same once it is released.
    pub(crate) fn released(&self) -> StoredLease {
        StoredLease {
            until: 0,
            ..self.stored()
        }
    }

    /// When the lease ends.
    pub(crate) fn until(&self) -> Millis {
        self.granted.after(length(self.call))
    }

    /// The same by this process's clock.
    pub(crate) fn ends(&self) -> Instant {
        self.granted.read_at + length(self.call)
    }

    /// The lease from now on, once its new end is written.
    pub(crate) fn renewed(self, granted: Clock) -> Self {
        Self { granted, ..self }
    }

    /// Whether it might end during another call.
    pub(crate) fn needs_renewal(&self) -> bool {
        self.granted.deadline(self.call / 4).has_passed()
    }

    /// The latest time to send a request. The service then has the other half of the timeout to execute
    /// it, so that no call outlives its lease.
    pub(crate) fn send_by(&self) -> Deadline {
        self.granted.deadline(self.call / 2)
    }

    /// The time at which a call is abandoned.
    pub(crate) fn finish_by(&self) -> Instant {
        self.granted.read_at + self.call
    }

    /// Executes a statement that updates the row if the fencing number is `$1`. `further` are its other
    /// values.
    ///
    /// # Errors
    /// [`Error::LeaseLost`] if another one has claimed the lease.
    pub(crate) async fn write(
        &self,
        session: &mut Session,
        statement: &'static str,
        further: impl IntoIterator<Item = Value>,
    ) -> Result<()> {
        let values = [self.fence.into()].into_iter().chain(further);
        match session.execute(Query::new(statement, values)).await? {
            1 => Ok(()),
            _ => Err(Error::LeaseLost),
        }
    }
}

impl Store {
    /// Renews a lease that might end during another call, with a statement whose last value is the new end.
    ///
    /// # Errors
    /// [`Error::LeaseLost`] if another one has claimed it.
    pub(super) async fn renew(
        &self,
        lease: &mut Lease,
        statement: &'static str,
        further: impl IntoIterator<Item = Value>,
    ) -> Result<()> {
        if !lease.needs_renewal() {
            return Ok(());
        }
        let mut tx = self.transaction().await?;
        let renewed = lease.renewed(tx.clock);
        let values = further.into_iter().chain([renewed.until().into()]);
        lease.write(&mut tx, statement, values).await?;
        tx.commit().await?;
        *lease = renewed;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
