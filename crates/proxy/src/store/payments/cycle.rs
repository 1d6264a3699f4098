//! Poll cycles: one instance at a time reads the service's list.
//!
//! A cycle has a lease ([`crate::store::lease`]). There is no leader: any instance may begin the next
//! cycle. If an instance dies, another one continues when the lease of the cycle has ended.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::ending::{announce_siblings, write_change};
use tender_ledger::Meaning;

use super::{Interest, PaymentStore, statements};
use crate::clock::{Clock, Millis, millis};
use crate::store::database::{self, FromRow, Row, Session, Value, query};
use crate::store::lease::{Lease, StoredLease, Term, WriteError, ahead};

/// The row of the `polling` table.
pub(crate) struct PollState {
    lease: StoredLease,
    begun_at: Millis,
    due_at: Millis,
    pub(crate) requested: bool,
    pub(crate) failures: u32,
    pub(crate) deep_page: u32,
    pub(crate) watermark: Watermark,
    merchant_until: Millis,
    announced_until: Millis,
    followed_at: Millis,
}

/// What event streams wait for. Neither number ever decreases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Watermark {
    /// The id of the last event.
    pub(crate) last_event: i64,
    /// The number of notifications.
    pub(crate) notified: i64,
}

/// A cycle in progress. If it is dropped, its lease expires.
pub(crate) struct PollCycle {
    pub(super) lease: Lease,
    /// The payments that it looks for.
    pub(crate) interest: Interest,
    /// Number of consecutive failed cycles before this one.
    pub(crate) failures: u32,
    /// The next page to read beyond the first ones.
    pub(crate) deep_page: u32,
}

/// The result of a cycle.
#[derive(Clone, Copy)]
pub(crate) struct CycleEnd {
    pub(crate) failures: u32,
    pub(crate) deep_page: u32,
    /// Time until the next cycle.
    pub(crate) pause: Duration,
    /// Time until the next cycle if one was requested meanwhile.
    pub(crate) min_interval: Duration,
}

/// A payment whose record in the list has changed.
#[derive(Clone)]
pub(crate) struct ListedChange {
    pub(crate) transaction_id: String,
    pub(crate) record: String,
    /// What its status means.
    pub(crate) meaning: Meaning,
}

impl FromRow for PollState {
    fn from_row(row: &Row<'_>) -> database::Result<Self> {
        let count = |column: &'static str| -> database::Result<u32> {
            Ok(u32::try_from(row.try_get::<i64>(column)?).unwrap_or(0))
        };
        Ok(Self {
            lease: StoredLease::from_row(row)?,
            begun_at: row.try_get("begun_at")?,
            due_at: row.try_get("due_at")?,
            requested: count("requested")? > 0,
            failures: count("failures")?,
            deep_page: count("deep_page")?,
            watermark: Watermark {
                last_event: row.try_get("last_event")?,
                notified: row.try_get("notified")?,
            },
            merchant_until: row.try_get("merchant_until")?,
            announced_until: row.try_get("announced_until")?,
            followed_at: row.try_get("followed_at")?,
        })
    }
}

impl PollState {
    /// Reads the only row.
    async fn find(session: &mut Session<'_>) -> database::Result<Self> {
        let found = session.row(query!(statements::POLL_STATE)).await?;
        found.ok_or_else(|| database::Error::unreadable("the row of `polling` is missing"))
    }

    /// If merchants are watching: up to when new payments were announced to them.
    pub(crate) fn announced_until(&self, clock: Clock) -> Option<Millis> {
        (self.merchant_until > clock.now).then_some(self.announced_until)
    }

    /// Whether a cycle should look for all followed payments, because the last one that did began longer ago
    /// than this, or before the database's clock was set back.
    pub(crate) fn is_follow_due(&self, clock: Clock, interval: Duration) -> bool {
        self.followed_at > clock.now || self.followed_at <= clock.before(interval)
    }

    /// Time until a cycle with a lease of this term may begin.
    pub(crate) fn due_in(&self, clock: Clock, term: Term) -> Duration {
        let due_in = if ahead(self.begun_at, clock) > StoredLease::MAX_AHEAD {
            // The database's clock was set back since the last cycle.
            Duration::ZERO
        } else {
            ahead(self.due_at, clock)
        };
        due_in.max(self.lease.ends_in(clock, term))
    }
}

/// Reserves ids for events that the holder of the lease writes.
pub(super) async fn reserve_ids(
    session: &mut Session<'_>,
    lease: Lease,
    count: usize,
) -> Result<RangeInclusive<i64>, WriteError> {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let reserved = query!(statements::RESERVE_IDS, lease.fence(), count);
    let (last,) = session
        .row::<(i64,)>(reserved)
        .await?
        .ok_or(WriteError::LeaseLost)?;
    Ok(last - count + 1..=last)
}

impl PaymentStore {
    pub(crate) async fn poll_state(&self) -> database::Result<PollState> {
        self.database
            .read(async move |session| PollState::find(session).await)
            .await
    }

    /// Begins a cycle; `None` if none is due, or if another instance was faster.
    pub(crate) async fn begin_cycle(
        &self,
        state: &PollState,
        clock: Clock,
        term: Term,
        interest: Interest,
    ) -> database::Result<Option<PollCycle>> {
        if !state.due_in(clock, term).is_zero() {
            return Ok(None);
        }
        let stored = state.lease;
        let followed_at = match interest.followed_since {
            Some(_) => clock.now,
            None => state.followed_at,
        };
        let lease = self.database.transaction(async move |session| {
            let begin = statements::BEGIN_CYCLE;
            let times = [clock.now, followed_at].map(Value::from);
            stored.claim(session, clock, term, begin, times).await
        });
        let lease: database::Result<_> = lease.await;
        Ok(lease?.map(|lease| PollCycle {
            lease,
            interest,
            failures: state.failures,
            deep_page: state.deep_page,
        }))
    }

    /// Extends the lease of the cycle if it might expire during another call.
    pub(crate) async fn extend_lease(&self, cycle: &mut PollCycle) -> Result<(), WriteError> {
        if !cycle.lease.needs_renewal() {
            return Ok(());
        }
        let held = cycle.lease;
        let renewed = self.database.transaction(async move |session| {
            let renewed = held.renewed(session.clock().await?);
            let (extend, until) = (statements::EXTEND_LEASE, renewed.until().into());
            held.write(session, extend, [until]).await?;
            Ok::<_, WriteError>(renewed)
        });
        cycle.lease = renewed.await?;
        Ok(())
    }

    /// Stores changed records.
    pub(crate) async fn write_changes(
        &self,
        cycle: &PollCycle,
        changes: &[ListedChange],
        read_at: Millis,
    ) -> Result<(), WriteError> {
        if changes.is_empty() {
            return Ok(());
        }
        let (lease, changes, outbox) = (cycle.lease, changes.to_vec(), self.outbox);
        let written = self.database.transaction(async move |session| {
            let clock = session.clock().await?;
            let event_ids = reserve_ids(session, lease, changes.len()).await?;
            for (id, change) in event_ids.zip(&changes) {
                write_change(session, clock, id, change, read_at, outbox).await?;
            }
            let ids: Vec<_> = changes
                .into_iter()
                .map(|change| change.transaction_id)
                .collect();
            Ok(announce_siblings(session, clock, &ids, outbox).await?)
        });
        written.await
    }

    pub(crate) async fn end_cycle(
        &self,
        cycle: &PollCycle,
        end: &CycleEnd,
    ) -> Result<(), WriteError> {
        let (lease, end) = (cycle.lease, *end);
        let ended = self.database.transaction(async move |session| {
            let clock = session.clock().await?;
            let values = [
                i64::from(end.failures),
                i64::from(end.deep_page),
                clock.after(end.min_interval),
                clock.after(end.pause),
            ];
            let values = values.map(Value::from);
            lease.write(session, statements::END_CYCLE, values).await
        });
        ended.await
    }

    /// Requests a cycle, at the earliest `min_interval` after the start of the last one.
    pub(crate) async fn request_cycle(&self, min_interval: Duration) -> database::Result<()> {
        let asked = self.database.transaction(async move |session| {
            let clock = session.clock().await?;
            let begun_at = PollState::find(session).await?.begun_at;
            let earliest = clock.now.max(begun_at + millis(min_interval));
            session
                .execute(query!(statements::REQUEST_CYCLE, earliest))
                .await
        });
        let asked: database::Result<_> = asked.await;
        asked.map(drop)
    }
}
