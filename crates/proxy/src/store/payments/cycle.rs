//! Poll cycles: one instance at a time reads the service's list, for the payments that are watched or followed.
//!
//! A cycle has a lease ([`crate::store::lease`]). There is no leader: any instance may begin the next
//! cycle. If an instance dies, another one continues when the lease of the cycle has ended.

use std::sync::Arc;
use std::time::Duration;

use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};
use tender_ledger::{Meaning, PaymentFate};
use tender_protocol::Record;

use super::{Known, RETENTION, statements};
use crate::clock::{Clock, Instant, Millis, millis};
use crate::store::Store;
use crate::store::database::{Error, LIST_LEN, Result, Value, query, query_list};
use crate::store::lease::{Lease, StoredLease};

/// The row of the `polling` table.
pub(crate) struct PollState {
    lease: StoredLease,
    /// When the lease ends, if it does not change.
    lease_ends: Instant,
    begun_at: Millis,
    due_at: Millis,
    pub(crate) requested: bool,
    /// Number of consecutive failed cycles.
    pub(crate) failures: u32,
    /// The next page to read beyond the first ones.
    pub(crate) deep_page: u32,
    /// The id of the last event.
    pub(crate) last_event: i64,
    merchant_until: Millis,
    followed_at: Millis,
}

/// A cycle in progress. If it is dropped, its lease expires.
pub(crate) struct PollCycle {
    pub(super) lease: Lease,
    pub(crate) interest: Interest,
}

#[derive(Clone, Copy)]
pub(crate) struct CycleEnd {
    pub(crate) failures: u32,
    pub(crate) deep_page: u32,
    /// Time until the next cycle.
    pub(crate) pause: Duration,
    /// Time until the next cycle if one was requested meanwhile.
    pub(crate) min_interval: Duration,
}

/// Which payments a poll cycle looks for: those that clients watch and, if notifications need
/// them, all that may still be paid.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Interest {
    pub(crate) now: Millis,
    /// Payments that were not paid are followed if they were stored after this time, as ages are counted. Money may arrive for
    /// a closed one, too.
    pub(crate) followed_since: Option<Millis>,
}

/// A record of the list of a known payment.
#[derive(Clone)]
pub(crate) struct ListedChange {
    pub(crate) transaction_id: String,
    pub(crate) listed: Record,
    /// What its status means.
    pub(crate) meaning: Meaning,
}

impl FromRow<'_, AnyRow> for PollState {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        let count = |column: &str| -> sqlx::Result<u32> {
            Ok(u32::try_from(row.try_get::<i64, _>(column)?).unwrap_or(0))
        };
        Ok(Self {
            lease: StoredLease::from_row(row)?,
            lease_ends: Instant::now(),
            begun_at: row.try_get("begun_at")?,
            due_at: row.try_get("due_at")?,
            requested: count("requested")? > 0,
            failures: count("failures")?,
            deep_page: count("deep_page")?,
            last_event: row.try_get("last_event")?,
            merchant_until: row.try_get("merchant_until")?,
            followed_at: row.try_get("followed_at")?,
        })
    }
}

impl PollState {
    /// Whether merchants are watching.
    pub(crate) fn has_merchants(&self, clock: Clock) -> bool {
        self.merchant_until > clock.now
    }

    /// Whether a cycle should look for all followed payments, because the last one that did began longer ago
    /// than this, or before the database's clock was set back.
    pub(crate) fn is_follow_due(&self, clock: Clock, interval: Duration) -> bool {
        self.followed_at > clock.now || self.followed_at <= clock.before(interval)
    }

    /// Time until a cycle should look for all followed payments, if it is not due yet.
    pub(crate) fn follow_due_in(&self, clock: Clock, interval: Duration) -> Option<Duration> {
        let due_at = self.followed_at.saturating_add(millis(interval));
        (!self.is_follow_due(clock, interval)).then(|| clock.until(due_at))
    }

    /// Time until a cycle may begin.
    pub(crate) fn due_in(&self, clock: Clock) -> Duration {
        let due_in = if clock.until(self.begun_at) > StoredLease::MAX_AHEAD {
            // The database's clock was set back since the last cycle.
            Duration::ZERO
        } else {
            clock.until(self.due_at)
        };
        due_in.max(self.lease_ends.saturating_duration_since(Instant::now()))
    }
}

impl Interest {
    pub(crate) fn includes(self, payment: &Known) -> bool {
        let is_paid = payment.latest.facts.fate == Some(PaymentFate::Paid);
        let is_followed = |since| !is_paid && payment.kept_until > kept_since(since);
        payment.wanted_until > self.now || self.followed_since.is_some_and(is_followed)
    }
}

/// Until when a payment is kept that was stored at this time.
fn kept_since(stored_at: Millis) -> Millis {
    stored_at.saturating_add(millis(RETENTION))
}

impl Store {
    pub(crate) async fn poll_state(&self) -> Result<PollState> {
        let clock = self.clock().await?;
        let state = query!(statements::POLL_STATE);
        let found = self.database.row::<PollState>(state).await?;
        let mut state =
            found.ok_or_else(|| Error::unreadable("the row of `polling` is missing"))?;
        let (lease, call) = (state.lease, self.config.upstream.timeout);
        state.lease_ends = self.observed.ends("polling", lease, clock, call);
        Ok(state)
    }

    /// The id of the last event. Whatever the service is asked for now is newer than what was stored by then.
    pub(crate) async fn last_event(&self) -> Result<i64> {
        self.database.number(query!(statements::LAST_EVENT)).await
    }

    /// Begins a cycle; `None` if none is due, or if another instance was faster.
    pub(crate) async fn begin_cycle(
        &self,
        state: &PollState,
        clock: Clock,
        interest: Interest,
    ) -> Result<Option<PollCycle>> {
        if !state.due_in(clock).is_zero() {
            return Ok(None);
        }
        let followed_at = match interest.followed_since {
            Some(_) => clock.now,
            None => state.followed_at,
        };
        let mut session = self.database.begin().await?;
        let times = [clock.now, followed_at].map(Value::from);
        let (call, begin) = (self.config.upstream.timeout, statements::BEGIN_CYCLE);
        let lease = state.lease.claim(&mut session, clock, call, begin, times);
        let lease = lease.await?;
        session.commit().await?;
        Ok(lease.map(|lease| PollCycle { lease, interest }))
    }

    /// Extends the lease of the cycle if it might expire during another call.
    pub(crate) async fn extend_cycle(&self, cycle: &mut PollCycle) -> Result<()> {
        let lease = &mut cycle.lease;
        self.renew(lease, statements::EXTEND_LEASE, []).await
    }

    pub(crate) async fn end_cycle(&self, cycle: &PollCycle, end: &CycleEnd) -> Result<()> {
        let mut tx = self.transaction().await?;
        let values = [
            i64::from(end.failures),
            i64::from(end.deep_page),
            tx.clock.after(end.min_interval),
            tx.clock.after(end.pause),
        ];
        let values = values.map(Value::from);
        let end = statements::END_CYCLE;
        cycle.lease.write(&mut tx, end, values).await?;
        tx.commit().await
    }

    /// Requests a cycle, at the earliest `min_interval` after the start of the last one.
    pub(crate) async fn request_cycle(&self, min_interval: Duration) -> Result<()> {
        let now = self.clock().await?.now;
        let request = query!(statements::REQUEST_CYCLE, now, millis(min_interval));
        self.database.write(request).await.map(drop)
    }

    /// The number of payments that this interest includes. Of those that no client watches,
    /// only as many are counted as a cycle can find.
    pub(crate) async fn count_wanted(&self, interest: Interest) -> Result<u64> {
        let mut session = self.database.reader().await?;
        let watched = query!(statements::COUNT_WANTED, interest.now);
        let mut count = session.number(watched).await?;
        if let Some(since) = interest.followed_since {
            let unpaid = query!(statements::COUNT_UNPAID, interest.now, kept_since(since));
            count += session.number(unpaid).await?;
        }
        Ok(count.unsigned_abs())
    }

    /// Extends the interest in these payments, so that they are polled for until then.
    pub(crate) async fn extend_interest(&self, ids: &[Arc<str>], until: Millis) -> Result<()> {
        let mut session = self.database.begin().await?;
        session.execute(query!(statements::LOCK_EVENTS)).await?;
        for ids in ids.chunks(LIST_LEN) {
            let extend = query_list(statements::EXTEND_INTEREST, ids).bind(until);
            session.execute(extend).await?;
        }
        session.commit().await
    }
}
