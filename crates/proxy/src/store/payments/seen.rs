//! All stored payments, in batches.

use super::{BATCH, Change, PaymentStore, statements};
use crate::store::database::{Result, Row};

impl PaymentStore {
    /// The next batch of payments after this transactionId, in the order of their ids.
    pub(crate) async fn after(&self, transaction_id: &str) -> Result<Vec<(String, Change)>> {
        let id = transaction_id.to_owned();
        let payments = self.database.read(move |session| {
            Box::pin(async move {
                let payment = |row: &Row<'_>| Ok((row.text("transaction_id")?, Change::read(row)?));
                let values = [(&id).into(), BATCH.into()];
                session.rows(statements::AFTER, &values, payment).await
            })
        });
        payments.await
    }
}
