//! A round of reading the service's list: of all instances, one at a time has it.
//!
//! A round is taken by compare-and-set on a counter, the fence, and each write of its holder names the
//! fence: whoever was overtaken writes nothing. Nobody leads between rounds, so that the next round is
//! whichever instance's that comes first: where one dies, the others go on without it, at the latest
//! when the lease of its round is over.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use tender_protocol::event;

use super::merchants::Pulse;
use super::statements;
use super::store::Store;
use crate::database::{self, Clock, Millis, Row, Session, millis};

/// The row of the rounds, as it was when it was read.
pub(super) struct Polling {
    fence: i64,
    lease_until: Millis,
    begun_at: Millis,
    due_at: Millis,
    pub(super) asked: bool,
    pub(super) failures: u32,
    pub(super) deep_page: u32,
    pulse: Pulse,
    merchant_until: Millis,
    told_until: Millis,
}

/// A round that was taken. One that is dropped is over when its lease is.
pub(super) struct Round {
    pub(super) fence: i64,
    lease: Duration,
    granted: Instant,
    /// How many rounds before it failed in a row.
    pub(super) failures: u32,
    /// The deeper page that is its turn.
    pub(super) deep_page: u32,
}

/// How a round ends.
pub(super) struct End {
    pub(super) failures: u32,
    pub(super) deep_page: u32,
    /// How long until the next round.
    pub(super) pause: Duration,
    /// The same where someone asked for another meanwhile.
    pub(super) least_pause: Duration,
}

/// Why something was not written.
#[derive(Debug, thiserror::Error)]
pub(super) enum WriteError {
    #[error("another instance took the round over")]
    Overtaken,
    #[error("the database can't be used: {0}")]
    Database(#[from] database::Error),
}

impl Polling {
    fn read(row: &Row<'_>) -> database::Result<Self> {
        let count = |column: &'static str| -> database::Result<u32> {
            Ok(u32::try_from(row.integer(column)?).unwrap_or(0))
        };
        Ok(Self {
            fence: row.integer("fence")?,
            lease_until: row.integer("lease_until")?,
            begun_at: row.integer("begun_at")?,
            due_at: row.integer("due_at")?,
            asked: count("asked")? > 0,
            failures: count("failures")?,
            deep_page: count("deep_page")?,
            pulse: Pulse {
                last_event: row.integer("last_event")?,
                notified: row.integer("notified")?,
            },
            merchant_until: row.integer("merchant_until")?,
            told_until: row.integer("told_until")?,
        })
    }

    /// The one row.
    async fn find(session: &mut Session) -> database::Result<Self> {
        let found = session.row(statements::POLLING, &[], Self::read).await?;
        found.ok_or_else(|| database::Error::unreadable("the row of the rounds is missing"))
    }

    /// What merchants wait for.
    pub(super) fn pulse(&self) -> Pulse {
        self.pulse
    }

    /// Where merchants watch: until when they were told of new payments.
    pub(super) fn merchants_told_until(&self, clock: Clock) -> Option<Millis> {
        (self.merchant_until > clock.now).then_some(self.told_until)
    }

    /// How long until a round may begin.
    pub(super) fn due_in(&self, clock: Clock) -> Duration {
        let due = self.due_at.max(self.lease_until);
        let ahead = due.saturating_sub(clock.now);
        Duration::from_millis(u64::try_from(ahead).unwrap_or(0))
    }
}

/// The numbers of so many events that the holder of the round with that fence writes next.
pub(super) async fn numbers(
    session: &mut Session,
    fence: i64,
    count: usize,
) -> Result<RangeInclusive<i64>, WriteError> {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let values = [fence.into(), count.into()];
    let number = |row: &Row<'_>| row.integer(0);
    let last = session.row(statements::NUMBER, &values, number).await?;
    let last = last.ok_or(WriteError::Overtaken)?;
    Ok(last - count + 1..=last)
}

impl Store {
    pub(super) async fn polling(&self) -> database::Result<Polling> {
        self.database
            .look(|session| Box::pin(Polling::find(session)))
            .await
    }

    /// Takes the round that is due; `None` where another instance was quicker.
    pub(super) async fn take(
        &self,
        polling: &Polling,
        clock: Clock,
        lease: Duration,
    ) -> database::Result<Option<Round>> {
        let fence = polling.fence;
        let taken = self.database.run(move |session| {
            Box::pin(async move {
                let values = [fence.into(), clock.after(lease).into(), clock.now.into()];
                session.execute(statements::TAKE, &values).await
            })
        });
        let taken: database::Result<_> = taken.await;
        Ok((taken? == 1).then_some(Round {
            fence: polling.fence + 1,
            lease,
            granted: clock.asked,
            failures: polling.failures,
            deep_page: polling.deep_page,
        }))
    }

    /// Makes sure that the round outlasts another call.
    pub(super) async fn hold(&self, round: &mut Round) -> Result<(), WriteError> {
        if round.granted.elapsed() < round.lease / 4 {
            return Ok(());
        }
        let (fence, lease) = (round.fence, round.lease);
        let held = self.database.run(move |session| {
            Box::pin(async move {
                let clock = session.clock().await?;
                let values = [fence.into(), clock.after(lease).into()];
                match session.execute(statements::HOLD, &values).await? {
                    1 => Ok(clock.asked),
                    _ => Err(WriteError::Overtaken),
                }
            })
        });
        round.granted = held.await?;
        Ok(())
    }

    /// Writes what changed: transactionIds and their records.
    pub(super) async fn change(
        &self,
        round: &Round,
        changes: &[(String, String)],
    ) -> Result<(), WriteError> {
        if changes.is_empty() {
            return Ok(());
        }
        let (fence, changes) = (round.fence, changes.to_vec());
        let written = self.database.run(move |session| {
            Box::pin(async move {
                let now = session.clock().await?.now;
                let numbers = numbers(session, fence, changes.len()).await?;
                for (id, (transaction_id, record)) in numbers.zip(&changes) {
                    let values = [
                        id.into(),
                        transaction_id.into(),
                        record.into(),
                        now.into(),
                        event::STATUS.into(),
                    ];
                    session.execute(statements::ADD_CHANGE, &values).await?;
                    let values = [transaction_id.into(), id.into(), record.into()];
                    session.execute(statements::CHANGE, &values).await?;
                }
                Ok(())
            })
        });
        written.await
    }

    pub(super) async fn end(&self, round: &Round, end: &End) -> Result<(), WriteError> {
        let fence = round.fence;
        let (failures, deep_page) = (end.failures, end.deep_page);
        let (pause, least_pause) = (end.pause, end.least_pause);
        let ended = self.database.run(move |session| {
            Box::pin(async move {
                let clock = session.clock().await?;
                let values = [
                    fence.into(),
                    i64::from(failures).into(),
                    i64::from(deep_page).into(),
                    clock.after(least_pause).into(),
                    clock.after(pause).into(),
                ];
                match session.execute(statements::END, &values).await? {
                    1 => Ok(()),
                    _ => Err(WriteError::Overtaken),
                }
            })
        });
        ended.await
    }

    /// Asks for a round, so long after the beginning of the last one at the earliest.
    pub(super) async fn ask(&self, least_pause: Duration) -> database::Result<()> {
        let asked = self.database.run(move |session| {
            Box::pin(async move {
                let clock = session.clock().await?;
                let earliest = Polling::find(session).await?.begun_at + millis(least_pause);
                let values = [clock.now.max(earliest).into()];
                session.execute(statements::ASK, &values).await
            })
        });
        let asked: database::Result<_> = asked.await;
        asked.map(drop)
    }
}
