//! All stored payments, in batches.

use super::{BATCH, Change, PaymentStore, WithKey, statements};
use crate::store::database::{Result, query};

impl PaymentStore {
    /// The next batch of payments after this transactionId, in the order of their ids.
    pub(crate) async fn after(&self, transaction_id: &str) -> Result<Vec<(String, Change)>> {
        let payments = query!(statements::AFTER, transaction_id.to_owned(), BATCH);
        let payments = self
            .database
            .read(async move |session| session.rows::<WithKey>(payments).await);
        Ok(payments
            .await?
            .into_iter()
            .map(WithKey::into_pair)
            .collect())
    }
}
