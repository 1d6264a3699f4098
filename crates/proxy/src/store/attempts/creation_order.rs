//! Which payments are certainly older or newer than the payment of an attempt, so that a search
//! does not have to read the whole list.

use super::{AttemptStore, StoredAttempt, statements};
use crate::store::database::{Millis, Result};

impl AttemptStore {
    /// Whether a payment was created before the service was called for this attempt.
    pub(crate) async fn is_older(
        &self,
        transaction_id: &str,
        stored: &StoredAttempt,
    ) -> Result<bool> {
        self.is_known(statements::CREATED_BEFORE, transaction_id, stored.asked_at)
            .await
    }

    /// Whether a payment was created after this attempt's call can have had any effect.
    pub(crate) async fn is_newer(
        &self,
        transaction_id: &str,
        stored: &StoredAttempt,
    ) -> Result<bool> {
        self.is_known(statements::CREATED_AFTER, transaction_id, stored.settles_at)
            .await
    }

    /// Counts the stored payments that are newer in this sense.
    pub(crate) async fn count_newer(&self, stored: &StoredAttempt) -> Result<usize> {
        let settles_at = stored.settles_at;
        let known = self.database.read(move |session| {
            Box::pin(async move {
                let values = [settles_at.into()];
                session.number(statements::ALL_CREATED_AFTER, &values).await
            })
        });
        Ok(usize::try_from(known.await?).unwrap_or(0))
    }

    async fn is_known(
        &self,
        statement: &'static str,
        transaction_id: &str,
        then: Millis,
    ) -> Result<bool> {
        let transaction_id = transaction_id.to_owned();
        let known = self.database.read(move |session| {
            Box::pin(async move {
                let values = [(&transaction_id).into(), then.into()];
                session.number(statement, &values).await
            })
        });
        Ok(known.await? > 0)
    }
}
