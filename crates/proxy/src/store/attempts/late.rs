//! Payments that were created too late: another instance had taken their attempt over. Each is an attempt of its own,
//! without an order, until it is cancelled or becomes the payment of the attempt after all.

use std::time::Duration;

use tender_protocol::Record;

use super::attempt::invoice_id;
use super::statements;
use super::stored::StoredAttempt;
use crate::store::database::{Result, query};
use crate::store::{RETENTION, Store, new_id, to_json};

/// Pauses between two tries to settle one: as long as it is known, within these limits.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_mins(10);

impl Store {
    /// Stores a payment that was created for this attempt too late, unless an attempt has it. One that contradicts the
    /// request is not cancelled, because it may be another's.
    pub(crate) async fn add_late(
        &self,
        attempt: &StoredAttempt,
        transaction_id: &str,
        record: &Record,
        is_contradictory: bool,
    ) -> Result<()> {
        let clock = self.clock().await?;
        let request = attempt.request.as_ref();
        let stage = if is_contradictory {
            "contradictory"
        } else {
            "duplicate"
        };
        let insert = query!(
            statements::INSERT_LATE,
            new_id(clock.now)?,
            &*attempt.id,
            request.map(to_json).transpose()?.unwrap_or_default(),
            stage,
            transaction_id,
            to_json(record)?,
            clock.now,
            clock.kept_for(RETENTION),
            request.map(|request| invoice_id(&request.invoice_number)),
        );
        self.database.write(insert).await.map(drop)
    }

    /// A payment that is due to be settled.
    pub(crate) async fn due_late(&self) -> Result<Option<StoredAttempt>> {
        let now = self.clock().await?.now;
        self.database.row(query!(statements::DUE_LATE, now)).await
    }

    /// Tries to settle a payment again after a pause, which this returns; `None` if it is settled.
    pub(crate) async fn postpone_late(&self, late: &StoredAttempt) -> Result<Option<Duration>> {
        let clock = self.clock().await?;
        let age = clock.now.saturating_sub(late.begun_at);
        let age = Duration::from_millis(u64::try_from(age).unwrap_or(0));
        let pause = age.clamp(FIRST_PAUSE, MAX_PAUSE);
        let postpone = query!(statements::POSTPONE_LATE, &*late.id, clock.after(pause));
        let is_open = self.database.write(postpone).await? == 1;
        Ok(is_open.then_some(pause))
    }

    pub(crate) async fn count_late(&self) -> Result<i64> {
        self.database.number(query!(statements::COUNT_LATE)).await
    }
}
