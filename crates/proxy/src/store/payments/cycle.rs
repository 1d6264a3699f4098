//! Poll cycles: one instance at a time reads the service's list.
//!
//! A cycle is begun by compare-and-set on a counter, the fencing token (`fence`). Each write of the
//! cycle includes the token, so an instance whose cycle was taken over can't write. There is no
//! leader: any instance may begin the next cycle. If an instance dies, another one continues when
//! the lease of the cycle has expired.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use tender_protocol::event;

use super::{Ending, PaymentStore, statements};
use crate::clock::{Clock, Millis, millis};
use crate::store::database::{self, FromRow, Row, Session, query};

/// The row of the `polling` table.
pub(crate) struct PollState {
    fence: i64,
    lease_until: Millis,
    begun_at: Millis,
    due_at: Millis,
    pub(crate) requested: bool,
    pub(crate) failures: u32,
    pub(crate) deep_page: u32,
    watermark: Watermark,
    merchant_until: Millis,
    announced_until: Millis,
}

/// What merchants' streams wait for. Neither number ever decreases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Watermark {
    /// The id of the last event.
    pub(crate) last_event: i64,
    /// The number of notifications.
    pub(crate) notified: i64,
}

impl Watermark {
    /// Whether this watermark is ahead of the other one.
    pub(crate) fn is_after(self, other: Self) -> bool {
        self.last_event > other.last_event || self.notified > other.notified
    }
}

/// A cycle in progress. If it is dropped, its lease expires.
pub(crate) struct PollCycle {
    pub(crate) fence: i64,
    lease: Duration,
    granted: Instant,
    /// Number of consecutive failed cycles before this one.
    pub(crate) failures: u32,
    /// The next page to read beyond the first ones.
    pub(crate) deep_page: u32,
}

/// The result of a cycle.
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
    /// How the payment has ended, if its status says so.
    pub(crate) ending: Option<Ending>,
}

/// Why something was not written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteError {
    #[error("another instance took the poll cycle over")]
    LeaseLost,
    #[error("the database can't be used: {0}")]
    Database(#[from] database::Error),
}

impl FromRow for PollState {
    fn from_row(row: &Row<'_>) -> database::Result<Self> {
        let count = |column: &'static str| -> database::Result<u32> {
            Ok(u32::try_from(row.try_get::<i64>(column)?).unwrap_or(0))
        };
        Ok(Self {
            fence: row.try_get("fence")?,
            lease_until: row.try_get("lease_until")?,
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
        })
    }
}

impl PollState {
    /// Reads the only row.
    async fn find(session: &mut Session<'_>) -> database::Result<Self> {
        let found = session.row(query!(statements::POLL_STATE)).await?;
        found.ok_or_else(|| database::Error::unreadable("the row of `polling` is missing"))
    }

    /// The watermark that merchants' streams wait for.
    pub(crate) fn watermark(&self) -> Watermark {
        self.watermark
    }

    /// If merchants are watching: up to when new payments were announced to them.
    pub(crate) fn announced_until(&self, clock: Clock) -> Option<Millis> {
        (self.merchant_until > clock.now).then_some(self.announced_until)
    }

    /// Time until a cycle may begin.
    pub(crate) fn due_in(&self, clock: Clock) -> Duration {
        let due = self.due_at.max(self.lease_until);
        let ahead = due.saturating_sub(clock.now);
        Duration::from_millis(u64::try_from(ahead).unwrap_or(0))
    }
}

/// Reserves ids for events that the holder of this fencing token writes.
pub(crate) async fn reserve_ids(
    session: &mut Session<'_>,
    fence: i64,
    count: usize,
) -> Result<RangeInclusive<i64>, WriteError> {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let reserved = query!(statements::RESERVE_IDS, fence, count);
    let (last,) = session
        .row::<(i64,)>(reserved)
        .await?
        .ok_or(WriteError::LeaseLost)?;
    Ok(last - count + 1..=last)
}

impl PaymentStore {
    pub(crate) async fn poll_state(&self) -> database::Result<PollState> {
        self.database
            .read(|mut session| Box::pin(async move { PollState::find(&mut session).await }))
            .await
    }

    /// Begins the cycle that is due; `None` if another instance was faster.
    pub(crate) async fn begin_cycle(
        &self,
        state: &PollState,
        clock: Clock,
        lease: Duration,
    ) -> database::Result<Option<PollCycle>> {
        let fence = state.fence;
        let begin = query!(
            statements::BEGIN_CYCLE,
            fence,
            clock.after(lease),
            clock.now
        );
        let taken = self
            .database
            .transaction(move |mut session| Box::pin(async move { session.execute(begin).await }));
        let taken: database::Result<_> = taken.await;
        Ok((taken? == 1).then_some(PollCycle {
            fence: state.fence + 1,
            lease,
            granted: clock.read_at,
            failures: state.failures,
            deep_page: state.deep_page,
        }))
    }

    /// Extends the lease of the cycle if it might expire during another call.
    pub(crate) async fn extend_lease(&self, cycle: &mut PollCycle) -> Result<(), WriteError> {
        if cycle.granted.elapsed() < cycle.lease / 4 {
            return Ok(());
        }
        let (fence, lease) = (cycle.fence, cycle.lease);
        let held = self.database.transaction(move |mut session| {
            Box::pin(async move {
                let clock = session.clock().await?;
                let extend = query!(statements::EXTEND_LEASE, fence, clock.after(lease));
                match session.execute(extend).await? {
                    1 => Ok(clock.read_at),
                    _ => Err(WriteError::LeaseLost),
                }
            })
        });
        cycle.granted = held.await?;
        Ok(())
    }

    /// Stores changed records.
    pub(crate) async fn write_changes(
        &self,
        cycle: &PollCycle,
        changes: &[ListedChange],
    ) -> Result<(), WriteError> {
        if changes.is_empty() {
            return Ok(());
        }
        let (fence, changes) = (cycle.fence, changes.to_vec());
        let written = self.database.transaction(move |mut session| {
            Box::pin(async move {
                let now = session.clock().await?.now;
                let event_ids = reserve_ids(&mut session, fence, changes.len()).await?;
                for (id, change) in event_ids.zip(changes) {
                    let update = query!(
                        statements::UPDATE_PAYMENT,
                        change.transaction_id.clone(),
                        id,
                        change.record.clone(),
                        change.ending.map(Ending::as_str),
                    );
                    session.execute(update).await?;
                    let insert = query!(
                        statements::INSERT_EVENT,
                        id,
                        change.transaction_id,
                        change.record,
                        now,
                        event::STATUS,
                    );
                    session.execute(insert).await?;
                }
                Ok(())
            })
        });
        written.await
    }

    pub(crate) async fn end_cycle(
        &self,
        cycle: &PollCycle,
        end: &CycleEnd,
    ) -> Result<(), WriteError> {
        let fence = cycle.fence;
        let (failures, deep_page) = (end.failures, end.deep_page);
        let (pause, min_interval) = (end.pause, end.min_interval);
        let ended = self.database.transaction(move |mut session| {
            Box::pin(async move {
                let clock = session.clock().await?;
                let end = query!(
                    statements::END_CYCLE,
                    fence,
                    i64::from(failures),
                    i64::from(deep_page),
                    clock.after(min_interval),
                    clock.after(pause),
                );
                match session.execute(end).await? {
                    1 => Ok(()),
                    _ => Err(WriteError::LeaseLost),
                }
            })
        });
        ended.await
    }

    /// Requests a cycle, at the earliest `min_interval` after the start of the last one.
    pub(crate) async fn request_cycle(&self, min_interval: Duration) -> database::Result<()> {
        let asked = self.database.transaction(move |mut session| {
            Box::pin(async move {
                let clock = session.clock().await?;
                let begun_at = PollState::find(&mut session).await?.begun_at;
                let earliest = clock.now.max(begun_at + millis(min_interval));
                session
                    .execute(query!(statements::REQUEST_CYCLE, earliest))
                    .await
            })
        });
        let asked: database::Result<_> = asked.await;
        asked.map(drop)
    }
}
