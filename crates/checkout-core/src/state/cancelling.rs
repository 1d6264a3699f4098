//! The cancellation of a payment.

use super::{Access, CheckoutPayment, PaymentProgress};
use crate::failure::{Failure, FailureCode};
use crate::status_record::has_arrived;

/// The cancellation of a payment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Cancelling {
    /// Not requested.
    #[default]
    Idle,
    /// The buyer is asked to confirm.
    Confirming,
    /// The request is under way.
    Requested,
    /// The request was refused, or its response was lost: the payment may still be open.
    Failed(Failure),
    /// The proxy has no route to cancel, so this request has cancelled nothing. Cancelling is offered again
    /// with the next poll, because a restarting proxy may respond the same way for a moment.
    Unavailable(Failure),
}

impl Cancelling {
    /// Whether the buyer can ask for it.
    pub(crate) const fn is_offered(&self) -> bool {
        matches!(self, Self::Idle | Self::Failed(_))
    }

    /// The buyer does not confirm.
    pub(crate) fn dismiss(&mut self) {
        if *self == Self::Confirming {
            *self = Self::Idle;
        }
    }
}

impl CheckoutPayment {
    /// Whether the payment is being cancelled, or a request to cancel it has an unknown outcome.
    pub fn may_be_cancelled(&self) -> bool {
        self.cancelling == Cancelling::Requested || self.facts.is_cancel_unclear
    }

    /// Notes the failure of a request that should have cancelled the payment: some failures prove that it is not
    /// cancelled. Others say that money may have been sent for it.
    pub(crate) fn set_cancel_failed(&mut self, failure: &Failure) {
        self.facts.is_cancel_unclear = match failure.code {
            FailureCode::MayBePaid => {
                self.facts.is_marked = true;
                false
            }
            FailureCode::ConfigInvalid
            | FailureCode::NoTokens
            | FailureCode::OrderRefused
            | FailureCode::OrderExpired
            | FailureCode::PaymentOpen
            | FailureCode::RequestRefused => false,
            FailureCode::Unreachable
            | FailureCode::Timeout
            | FailureCode::ServiceFailed
            | FailureCode::AnswerUnreadable
            | FailureCode::AttemptEnded
            | FailureCode::EarlierPaymentOpen
            | FailureCode::RecordMismatch => true,
        };
    }

    /// Whether the buyer may cancel: not while a wallet asks them to pay, and not once the money may be on its way, because
    /// the transaction is known, the status has changed, the payment is pending or underpaid, or the proxy has a mark.
    pub fn may_cancel(&self) -> bool {
        self.facts.progress() == PaymentProgress::Open
            && self.facts.access != Access::ReadOnly
            && !self.record.state.is_some_and(has_arrived)
            && !self.wallet.is_asked()
            && !self.is_marked()
    }

    /// Whether another payment may take the place of this one, once it is cancelled.
    pub fn may_be_replaced(&self) -> bool {
        !self.may_be_paid()
            && !self.wallet.is_asked()
            && !self.is_marked()
            && self.facts.access != Access::ReadOnly
    }

    /// Whether the buyer may choose another token. This payment is then cancelled first.
    pub fn may_change(&self) -> bool {
        self.may_be_replaced() && self.cancelling.is_offered()
    }

    /// Whether the proxy may refuse to cancel this payment, because of a mark.
    fn is_marked(&self) -> bool {
        self.facts.mark.may_stand() || self.facts.ignores_marks
    }
}
