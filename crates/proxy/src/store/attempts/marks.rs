//! Marks of buyers that money may have been sent. While a payment has one, neither a buyer nor the proxy cancels it.

use tender_ledger::Stage;
use tender_protocol::sent::MAX_MARKS;

use super::attempt::digest;
use super::statements;
use super::stored::StoredAttempt;
use crate::store::database::{Result, query};
use crate::store::{Store, random};

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

impl Store {
    /// Marks a payment, for which money may have been sent.
    pub(crate) async fn mark_sent(&self, transaction_id: &str) -> Result<Marked> {
        let mut tx = self.transaction().await?;
        // A write comes first, so that no cancellation begins meanwhile.
        let lock = query!(statements::LOCK_PAYMENT, transaction_id);
        tx.execute(lock).await?;
        let found = query!(statements::BY_TRANSACTION, transaction_id);
        match tx.row::<StoredAttempt>(found).await? {
            None => return Ok(Marked::Unknown),
            Some(stored) if !matches!(stored.stage, Stage::Created(_)) => {
                return Ok(Marked::TooLate);
            }
            Some(_) => {}
        }
        let max = i64::try_from(MAX_MARKS).unwrap_or(i64::MAX);
        let count = query!(statements::COUNT_MARKS, transaction_id);
        let count = tx.number(count).await?;
        if count > max {
            return Ok(Marked::Full);
        }
        let secret = random::<32>()?;
        let now = tx.clock.now;
        let insert = query!(
            statements::INSERT_MARK,
            digest(&[&secret]),
            transaction_id,
            now
        );
        tx.execute(insert).await?;
        tx.commit().await?;
        Ok(if count < max {
            Marked::Secret(secret)
        } else {
            Marked::Full
        })
    }

    /// Whether a buyer says that money may have been sent for a payment.
    pub(crate) async fn is_marked(&self, transaction_id: &str) -> Result<bool> {
        let count = query!(statements::COUNT_MARKS, transaction_id);
        Ok(self.database.number(count).await? > 0)
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
