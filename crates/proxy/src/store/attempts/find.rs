//! Finds the attempt whose payment a signed order leads to.

use super::decide::standing;
use super::stored::StoredAttempt;
use super::{AttemptStore, Order, statements};
use crate::store::database::{Result, query};

/// The attempt that an order leads to, as it was when it was read.
pub(crate) struct OrderAttempt {
    pub(crate) attempt: StoredAttempt,
    /// Whether a buyer says that money may have been sent.
    pub(crate) is_marked: bool,
}

impl AttemptStore {
    /// The attempt of an order whose payment is paid, or else the open one, or else the latest one that had a payment and was
    /// not released. All attempts of the order are kept as long as it leads to its payment.
    pub(crate) async fn of_order(&self, order: &Order) -> Result<Option<OrderAttempt>> {
        let find = query!(statements::OF_ORDER, order.id.clone());
        let found = self.database.read(async move |session| {
            let Some(attempt) = session.row::<StoredAttempt>(find).await? else {
                return Ok(None);
            };
            let standing = standing(session, &attempt, attempt.payment()).await?;
            Ok(Some(OrderAttempt {
                is_marked: standing.is_marked,
                attempt,
            }))
        });
        let found = found.await?;
        if let Some(OrderAttempt { attempt, .. }) = &found
            && attempt.kept_until < order.readable_until
        {
            let (id, until) = (order.id.clone(), order.readable_until);
            self.database
                .write(query!(statements::EXTEND_RETENTION, id, until))
                .await?;
        }
        Ok(found)
    }
}
