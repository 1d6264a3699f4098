//! A round of reading the service's list: of all instances, one at a time has it.
//!
//! A round is taken by compare-and-set on a counter, the fence, and each write of its holder names the
//! fence: whoever was overtaken writes nothing. Nobody leads between rounds, so that the next round is
//! whichever instance's that comes first: where one dies, the others go on without it, at the latest
//! when the lease of its round is over.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use sqlx::{AnyConnection, Row as _};
use tender_protocol::event;

use super::merchants::Pulse;
use super::statements;
use super::store::Store;
use crate::ledger::{Clock, Millis};

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
    Database(#[from] sqlx::Error),
}

impl Polling {
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

impl Round {
    /// The numbers of so many events that are written next.
    pub(super) async fn numbers(
        &self,
        count: usize,
        transaction: &mut AnyConnection,
    ) -> Result<RangeInclusive<i64>, WriteError> {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        let number = sqlx::query_scalar::<_, i64>(statements::NUMBER);
        let number = number.bind(self.fence).bind(count);
        let last = number.fetch_optional(transaction).await?;
        let last = last.ok_or(WriteError::Overtaken)?;
        Ok(last - count + 1..=last)
    }
}

impl Store {
    pub(super) async fn polling(&self) -> sqlx::Result<Polling> {
        let row = sqlx::query(statements::POLLING);
        let row = row.fetch_one(&self.database.pool).await?;
        let count = |column| -> sqlx::Result<u32> {
            Ok(u32::try_from(row.try_get::<i64, _>(column)?).unwrap_or(0))
        };
        Ok(Polling {
            fence: row.try_get("fence")?,
            lease_until: row.try_get("lease_until")?,
            begun_at: row.try_get("begun_at")?,
            due_at: row.try_get("due_at")?,
            asked: count("asked")? > 0,
            failures: count("failures")?,
            deep_page: count("deep_page")?,
            pulse: Pulse {
                last_event: row.try_get("last_event")?,
                notified: row.try_get("notified")?,
            },
            merchant_until: row.try_get("merchant_until")?,
            told_until: row.try_get("told_until")?,
        })
    }

    /// Takes the round that is due; `None` where another instance was quicker.
    pub(super) async fn take(
        &self,
        polling: &Polling,
        clock: Clock,
        lease: Duration,
    ) -> sqlx::Result<Option<Round>> {
        let taken = sqlx::query(statements::TAKE)
            .bind(polling.fence)
            .bind(clock.after(lease))
            .bind(clock.now)
            .execute(&self.database.pool)
            .await?;
        Ok((taken.rows_affected() == 1).then_some(Round {
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
        let clock = self.clock().await?;
        let written = sqlx::query(statements::HOLD)
            .bind(round.fence)
            .bind(clock.after(round.lease))
            .execute(&self.database.pool)
            .await?;
        if written.rows_affected() != 1 {
            return Err(WriteError::Overtaken);
        }
        round.granted = clock.asked;
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
        let now = self.clock().await?.now;
        let mut transaction = self.database.begin().await?;
        let numbers = round.numbers(changes.len(), &mut transaction).await?;
        for (id, (transaction_id, record)) in numbers.zip(changes) {
            sqlx::query(statements::ADD_CHANGE)
                .bind(id)
                .bind(transaction_id.clone())
                .bind(record.clone())
                .bind(now)
                .bind(event::STATUS)
                .execute(&mut *transaction)
                .await?;
            sqlx::query(statements::CHANGE)
                .bind(transaction_id.clone())
                .bind(id)
                .bind(record.clone())
                .execute(&mut *transaction)
                .await?;
        }
        Ok(transaction.commit().await?)
    }

    pub(super) async fn end(&self, round: &Round, end: &End) -> Result<(), WriteError> {
        let clock = self.clock().await?;
        let ended = sqlx::query(statements::END)
            .bind(round.fence)
            .bind(i64::from(end.failures))
            .bind(i64::from(end.deep_page))
            .bind(clock.after(end.least_pause))
            .bind(clock.after(end.pause))
            .execute(&self.database.pool)
            .await?;
        if ended.rows_affected() == 1 {
            Ok(())
        } else {
            Err(WriteError::Overtaken)
        }
    }

    /// Asks for a round, so long after the beginning of the last one at the earliest.
    pub(super) async fn ask(&self, least_pause: Duration) -> sqlx::Result<()> {
        let clock = self.clock().await?;
        let earliest = self.polling().await?.begun_at + crate::ledger::millis(least_pause);
        let ask = sqlx::query(statements::ASK).bind(clock.now.max(earliest));
        ask.execute(&self.database.pool).await?;
        Ok(())
    }
}
