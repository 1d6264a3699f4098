//! Leases: the exclusive right to work on a row for a limited time.
//!
//! Such a row has two columns:
//!
//! | column | contents |
//! |---|---|
//! | `fence` | the fencing number: counts the leases of the row |
//! | `lease_until` | when the latest lease ends, by the database's clock; 0 if it was released |
//!
//! - **Claim.** A lease is claimed by compare-and-set on both columns, so one of several competing
//!   claims succeeds, and none after a renewal. [`claim_lease!`] is the statement.
//! - **Fencing.** Each write of the holder names its fencing number ([`Lease::write`]), so a holder
//!   can't write once another one has claimed the lease. If its lease has ended and there is no
//!   later one, it still can.
//! - **Renewal.** A lease is longer than a call to the service, and the holder renews it before another
//!   call if a quarter of a call has passed.
//! - **Clock.** A lease that ends further ahead than [`StoredLease::MAX_AHEAD`] was written before the
//!   database's clock was set back, and counts as ended.

use std::time::{Duration, Instant};

use crate::clock::{Clock, Deadline, Millis};
use crate::store::Store;
use crate::store::database::{Error, FromRow, Query, Result, Row, Session, Value};

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

/// How long a lease lasts: as long as a call to the service, and enough to store its result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    /// Timeout of one call, including its response.
    pub(crate) call: Duration,
    /// How much longer the lease lasts.
    pub(crate) margin: Duration,
}

impl Term {
    /// The term of leases for calls with this timeout.
    pub(crate) fn for_calls(call: Duration) -> Self {
        let margin = Duration::from_secs(2);
        Self { call, margin }
    }

    pub(crate) fn length(self) -> Duration {
        self.call + self.margin
    }
}

/// The lease of a row as it was when the row was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StoredLease {
    fence: i64,
    until: Millis,
}

impl FromRow for StoredLease {
    fn from_row(row: &Row<'_>) -> Result<Self> {
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

    /// Time until a lease of this term can be claimed.
    pub(crate) fn ends_in(self, clock: Clock, term: Term) -> Duration {
        let ahead = ahead(self.until, clock);
        if ahead > Self::MAX_AHEAD.max(term.length()) {
            Duration::ZERO
        } else {
            ahead
        }
    }

    /// Whether it was released after the lease of this fencing number.
    pub(crate) fn is_released(self, fence: i64) -> bool {
        self.fence == fence && self.until == 0
    }

    pub(crate) fn fence(self) -> i64 {
        self.fence
    }

    /// Claims the lease with a statement of [`claim_lease!`] and its further values; `None` if another
    /// one holds it or was faster.
    pub(crate) async fn claim(
        self,
        session: &mut Session,
        clock: Clock,
        term: Term,
        statement: &'static str,
        further: impl IntoIterator<Item = Value>,
    ) -> Result<Option<Lease>> {
        if !self.ends_in(clock, term).is_zero() {
            return Ok(None);
        }
        let lease = Lease {
            fence: self.fence.saturating_add(1),
            term,
            granted: clock,
        };
        let values = [self.fence, self.until, lease.until()].map(Value::from);
        let values = values.into_iter().chain(further).collect();
        let claimed = session.execute(Query::new(statement, values)).await?;
        Ok((claimed == 1).then_some(lease))
    }
}

/// Time from now until then; zero if it has passed.
pub(crate) fn ahead(then: Millis, clock: Clock) -> Duration {
    Duration::from_millis(u64::try_from(then.saturating_sub(clock.now)).unwrap_or(0))
}

/// A granted lease. If it is dropped without being released, it ends by itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lease {
    fence: i64,
    term: Term,
    granted: Clock,
}

impl Lease {
    /// The first lease of a row that is inserted with the fencing number 1.
    pub(crate) fn first(granted: Clock, term: Term) -> Self {
        Self {
            fence: 1,
            term,
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

    /// When the lease ends.
    pub(crate) fn until(&self) -> Millis {
        self.granted.after(self.term.length())
    }

    pub(crate) fn granted(&self) -> Clock {
        self.granted
    }

    /// The lease from now on, once its new end is written.
    pub(crate) fn renewed(self, granted: Clock) -> Self {
        Self { granted, ..self }
    }

    /// Whether it might end during another call.
    pub(crate) fn needs_renewal(&self) -> bool {
        self.granted.deadline(self.term.call / 4).has_passed()
    }

    /// The latest time to send a request. The service then has the other half of the timeout to execute
    /// it, so that no call outlives its lease.
    pub(crate) fn send_by(&self) -> Deadline {
        self.granted.deadline(self.term.call / 2)
    }

    /// The time at which a call is abandoned.
    pub(crate) fn finish_by(&self) -> Instant {
        self.granted.read_at + self.term.call
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
        let values = [self.fence.into()].into_iter().chain(further).collect();
        match session.execute(Query::new(statement, values)).await? {
            1 => Ok(()),
            _ => Err(Error::LeaseLost),
        }
    }
}

impl Store {
    /// Renews a lease with a statement whose last value is the new end.
    ///
    /// # Errors
    /// [`Error::LeaseLost`] if another one has claimed it.
    pub(super) async fn renewed(
        &self,
        lease: Lease,
        statement: &'static str,
        further: impl IntoIterator<Item = Value>,
    ) -> Result<Lease> {
        let mut session = self.database.begin().await?;
        let renewed = lease.renewed(session.clock().await?);
        let values = further.into_iter().chain([renewed.until().into()]);
        lease.write(&mut session, statement, values).await?;
        session.commit().await?;
        Ok(renewed)
    }
}

#[cfg(test)]
mod tests;
