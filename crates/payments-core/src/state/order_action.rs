//! What the merchant can do about the order of a payment, beside cancelling the payment.

use tender_protocol::PaymentState;
use tender_protocol::client::Failure;
use tender_protocol::ledger::Reason;

use super::dashboard::Dashboard;
use super::deliveries::PaymentDetails;

/// Something about an order that only the merchant decides. Nothing is sent to the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderAction {
    /// Removes all marks that money may have been sent for the payment, so that its buyer can cancel or replace it again.
    RemoveMarks,
    /// Frees the order of the payment for another one.
    Release,
}

/// The progress of an [`OrderAction`] in the dialog of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderProgress {
    /// None was requested.
    Idle,
    /// The merchant is asked to confirm it.
    Confirming(OrderAction),
    /// The request is sent.
    Requested(OrderAction),
    /// The proxy has done it.
    Done(OrderAction),
    /// The proxy has not done it.
    Failed(Failure),
}

impl Dashboard {
    /// Whether the proxy says that money may have been sent for the payment in the dialog.
    pub fn is_marked(&self) -> bool {
        let id = self.details.as_ref().map(|open| &open.transaction_id);
        let known = id.and_then(|id| self.known.get(id));
        known.is_some_and(|known| known.sent > 0)
    }

    /// What is offered for the order of the payment in the dialog. An order is bound to a payment that is underpaid, marked,
    /// or contradicts the order, until the merchant releases it.
    pub fn order_actions(&self) -> Vec<OrderAction> {
        let Some(PaymentDetails { transaction_id, .. }) = &self.details else {
            return Vec::new();
        };
        let is_marked = self.is_marked();
        let payment = self.list.get(transaction_id);
        let state = payment.and_then(|payment| payment.state);
        let is_bound = is_marked
            || state == Some(PaymentState::Underpaid)
            || self.is_contradictory(transaction_id);
        let marks = is_marked.then_some(OrderAction::RemoveMarks);
        let release = is_bound.then_some(OrderAction::Release);
        marks.into_iter().chain(release).collect()
    }

    fn is_contradictory(&self, transaction_id: &str) -> bool {
        self.ledger.loaded().is_some_and(|ledger| {
            ledger.reconciling.iter().any(|order| {
                matches!(
                    order.reason,
                    Reason::CreateContradictory | Reason::ListContradictory
                ) && order.transaction_id.as_deref() == Some(transaction_id)
            })
        })
    }
}
