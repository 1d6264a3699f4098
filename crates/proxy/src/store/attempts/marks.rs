//! Marks of buyers that money may have been sent. While a payment has one, neither a buyer nor the proxy cancels it.

use tender_ledger::Stage;
use tender_protocol::sent::MAX_MARKS;

use super::attempt::digest;
use super::stored::StoredAttempt;
use super::{AttemptStore, statements};
use crate::store::database::{Result, query};
use crate::store::random::random;

/// What became of a request to mark a payment.
pub(crate) enum Marked {
    /// It is marked. Only this secret removes the mark.
    Secret(String),
    /// The payment has the maximum number of marks with a secret. It is marked without one, which only the merchant can undo.
    Full,
    /// It is being cancelled, or has ended.
    TooLate,
    /// No attempt has it.
    Unknown,
}

impl AttemptStore {
    /// Marks a payment, for which money may have been sent.
    pub(crate) async fn mark_sent(&self, transaction_id: &str) -> Result<Marked> {
        let id = transaction_id.to_owned();
        let marked = self.database.transaction(async move |session| {
            let clock = session.clock().await?;
            // A write comes first, so that no cancellation begins meanwhile.
            let lock = query!(statements::LOCK_PAYMENT, id.clone());
            session.execute(lock).await?;
            let found = query!(statements::BY_TRANSACTION, id.clone());
            match session.row::<StoredAttempt>(found).await? {
                None => return Ok(Marked::Unknown),
                Some(stored) if !matches!(stored.stage, Stage::Created(_)) => {
                    return Ok(Marked::TooLate);
                }
                Some(_) => {}
            }
            let count = query!(statements::COUNT_MARKS, id.clone());
            let max = i64::try_from(MAX_MARKS).unwrap_or(i64::MAX);
            let count = session.number(count).await?;
            if count > max {
                return Ok(Marked::Full);
            }
            let secret = random::<32>()?;
            let insert = query!(statements::INSERT_MARK, digest(&[&secret]), id, clock.now);
            session.execute(insert).await?;
            Ok(if count < max {
                Marked::Secret(secret)
            } else {
                Marked::Full
            })
        });
        marked.await
    }

    /// Whether a buyer says that money may have been sent for a payment.
    pub(crate) async fn is_marked(&self, transaction_id: &str) -> Result<bool> {
        let count = query!(statements::COUNT_MARKS, transaction_id);
        let count = self
            .database
            .read(async move |session| session.number(count).await);
        Ok(count.await? > 0)
    }

    /// Removes the mark with this secret, or all marks of the payment.
    pub(crate) async fn unmark_sent(
        &self,
        transaction_id: &str,
        secret: Option<&str>,
    ) -> Result<()> {
        let delete = match secret {
            Some(secret) => query!(statements::DELETE_MARK, transaction_id, digest(&[secret])),
            None => query!(statements::DELETE_MARKS, transaction_id),
        };
        self.database.write(delete).await.map(drop)
    }
}
