//! Payments that were created too late: another instance had taken their attempt over. Each is an attempt of its own,
//! without an order, for the merchant to resolve, unless it becomes the payment of the attempt after all.

use tender_protocol::Record;

use super::attempt::invoice_id;
use super::statements;
use super::stored::StoredAttempt;
use crate::store::database::{Result, query};
use crate::store::{RETENTION, Store, new_id, to_json};

impl Store {
    /// Stores a payment that was created for this attempt too late, unless an attempt has it. One that contradicts the
    /// request may be another's.
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
}
