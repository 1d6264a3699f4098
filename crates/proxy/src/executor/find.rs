//! Finds the payment of a signed order. Nothing is created or cancelled, and no outcome is searched for.

use tender_ledger::{Facts, Stage};
use tender_protocol::{ProblemCode, Record, TokenCode};

use super::Executor;
use crate::checkout::purchase;
use crate::error::Error;
use crate::order::VerifiedOrder;
use crate::store::attempts::Order;

pub(crate) struct PaymentOfOrder {
    pub(crate) transaction_id: String,
    /// The code that it was requested with.
    pub(crate) payment_token: TokenCode,
    pub(crate) latest: Record,
    pub(crate) facts: Facts,
    /// Whether the order asks for another price or currency.
    pub(crate) is_outdated: bool,
}

impl Executor {
    /// The payment of the attempt that [an order leads to](crate::store::Store::attempt_of_order). `None` if no payment of the
    /// order was ever shown to a buyer: a create request continues its attempt.
    ///
    /// # Errors
    /// [`ProblemCode::PaymentUnidentified`] if the order has a payment whose record is no longer stored.
    pub(crate) async fn find(
        &self,
        order: &VerifiedOrder,
    ) -> Result<Option<PaymentOfOrder>, Error> {
        let key = Order::new(order.signed.clone(), order.readable_until);
        let store = &self.shared.store;
        let Some(attempt) = store.attempt_of_order(&key).await? else {
            return Ok(None);
        };
        let (transaction_id, is_open) = match &attempt.stage {
            Stage::Created(id) | Stage::Cancelling(id, _) => (id.clone(), true),
            Stage::Ended(Some(id)) => (id.clone(), false),
            Stage::Requested(_) | Stage::Contradictory(_) | Stage::Ended(None) | Stage::Refused => {
                return Ok(None);
            }
        };
        let latest = self.known(&transaction_id).await?;
        let (Some(request), Some((latest, facts))) = (attempt.request.clone(), latest) else {
            return if is_open || store.is_money_seen(&key).await? {
                Err(ProblemCode::PaymentUnidentified.into())
            } else {
                Ok(None)
            };
        };
        let asked = purchase::with_choice_of(&request, order.claims.clone());
        Ok(Some(PaymentOfOrder {
            is_outdated: asked.is_none_or(|asked| !attempt.is_for(&asked)),
            transaction_id,
            payment_token: request.payment_token,
            latest,
            facts,
        }))
    }
}
