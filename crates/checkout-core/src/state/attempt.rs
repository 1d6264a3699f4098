//! Attempts to pay.

use super::CheckoutPayment;
use crate::choice::Choice;
use crate::order::Request;

/// An earlier attempt that was not cancelled. Submitting the same request again continues it, so
/// that the order is not paid twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PriorAttempt {
    /// The request failed, or its response was lost: a payment may exist.
    Attempt(Box<Attempt>),
    /// The payment exists.
    Payment(Box<CheckoutPayment>),
    /// The payment exists, but its price is no longer the order's: it can only be cancelled.
    Outdated(Box<CheckoutPayment>),
    /// The payment exists, but its record contradicts its request: it can only be cancelled, and
    /// nothing of the record is shown.
    Mismatched(Box<CheckoutPayment>),
    /// The payment has ended, but a wallet may have sent the money and not reported it yet. The next submit
    /// is a new attempt.
    Ended(Box<CheckoutPayment>),
}

/// One attempt to pay. The proxy creates one payment per attempt, however often the request is
/// sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Sent as `Idempotency-Key`.
    pub key: AttemptKey,
    /// The body of the request.
    pub request: Request,
    /// The chosen token.
    pub choice: Choice,
}

/// The key of an attempt: 128 random bits in hexadecimal digits, created by the driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptKey(pub String);

impl PriorAttempt {
    /// The payment, if there is one that was not cancelled.
    pub(crate) fn open(&self) -> Option<&CheckoutPayment> {
        match self {
            Self::Payment(payment) | Self::Outdated(payment) | Self::Mismatched(payment) => {
                Some(payment)
            }
            Self::Attempt(_) | Self::Ended(_) => None,
        }
    }

    /// As [`open`](Self::open).
    pub(crate) fn open_mut(&mut self) -> Option<&mut CheckoutPayment> {
        match self {
            Self::Payment(payment) | Self::Outdated(payment) | Self::Mismatched(payment) => {
                Some(payment)
            }
            Self::Attempt(_) | Self::Ended(_) => None,
        }
    }
}
