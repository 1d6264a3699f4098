//! What is known of an attempt to pay, and what it is worked on for.

use strum::IntoStaticStr;

use crate::{OrderMoney, PaymentFate};

/// The stage of an attempt. `P` identifies its payment. As a text, it is the name of the stage.
#[derive(Clone, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Stage<P> {
    /// The service is asked to create the payment, and no answer is stored.
    Requested(Asked),
    /// The service created this payment.
    Created(P),
    /// The service is asked to cancel this payment. It is no longer shown as payable.
    Cancelling(P, Asked),
    /// The payment, if there was one, is cancelled or closed, and the order is free.
    Ended(Option<P>),
    /// The service created this payment, which contradicts the request. The merchant decides.
    Contradictory(P),
    /// The service did nothing.
    Refused,
}

/// What is known of the requests to the service in a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Asked {
    /// One is sent or will be, and none was before.
    First,
    /// One may have been executed without an answer. What an earlier lease left as `First` becomes this.
    Unanswered,
    /// One was answered as documented.
    Answered,
}

/// What is stored of the payment of an attempt and of its order, by polls and by all requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OrderFacts {
    /// How it has ended, or that money was seen for it.
    pub fate: Option<PaymentFate>,
    /// Whether its status was ever another one than that of its creation.
    pub has_moved: bool,
    /// Whether a buyer says that money may have been sent.
    pub is_marked: bool,
    /// The most that was seen for another payment of its order.
    pub order: Option<OrderMoney>,
    /// Whether the list shows a record of it that contradicts what is known.
    pub is_contradicted: bool,
}

impl OrderFacts {
    /// Whether money was seen for the payment.
    pub(crate) fn is_money_seen(self) -> bool {
        self.fate.is_some_and(PaymentFate::is_money_seen)
    }

    /// Whether money was seen for another payment of the order, and none for this one.
    pub(crate) fn is_order_seen(self) -> bool {
        self.order.is_some() && !self.is_money_seen()
    }
}

/// What an attempt is worked on for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Goal<P> {
    /// The buyer asks for this payment.
    Create,
    /// The buyer asks for another payment of the same order, in place of this one if it is named.
    Replace(Option<P>),
    /// Find out whether the service has created the payment. None is created.
    Find,
    /// Cancel the payment.
    Cancel(Requester),
    /// The merchant frees the order, whatever its payment is. Nothing is sent to the service.
    Release,
}

/// Who asks to cancel a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Requester {
    /// By cancelling, or by choosing another token.
    Buyer,
    /// In the dashboard, or by a program.
    Merchant,
}
