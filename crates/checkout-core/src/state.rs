//! The state of a checkout.

mod awaiting;
mod sent;

use tender_protocol::TokenCode;

pub use self::awaiting::{Awaiting, Cancelling, LatestRecord, PaymentProgress, Polling, Stream};
pub use self::sent::{HashSource, SentMark};
use crate::choice::Choice;
use crate::failure::Failure;
use crate::form::{Form, FormProblem};
use crate::order::Request;

/// The state of a checkout. A view shows exactly one of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// The token listing is being fetched.
    Loading(Draft),
    /// The token listing could not be fetched, or offers no token.
    Unavailable(Draft, Failure),
    /// The buyer chooses a token and fills in the form.
    Choosing(Choosing),
    /// The payment is being created. If there is an open payment, it is cancelled first.
    Submitting(Choosing, Attempt),
    /// The payment was not created, or the response was lost.
    Failed(Choosing, Attempt, Failure),
    /// The payment exists: the buyer sees the amount and the wallet.
    Awaiting(Box<Awaiting>),
    /// The payment is paid.
    Paid(Box<Awaiting>),
    /// The payment has ended without being paid: no money may be sent to it any more.
    Closed(Box<Awaiting>),
    /// The payment was cancelled on this page.
    Cancelled(Box<Awaiting>),
}

/// What is kept while the token listing is fetched again: what the buyer typed, and the attempt
/// that must not be paid twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// What the buyer has chosen and typed; `None` starts with the values of the attributes.
    pub form: Option<Form>,
    /// An earlier attempt that was not cancelled.
    pub prior: Option<PriorAttempt>,
}

/// The form, and the tokens to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choosing {
    /// The tokens to choose from.
    pub choices: Vec<Choice>,
    /// Symbol of the token that the order is priced in, which need not be among the choices.
    pub price_symbol: String,
    /// What the buyer has chosen and typed.
    pub form: Form,
    /// Why the form could not be submitted.
    pub problem: Option<FormProblem>,
    /// An earlier attempt that was not cancelled.
    pub prior: Option<PriorAttempt>,
}

/// An earlier attempt that was not cancelled. Submitting the same request again continues it, so
/// that the order is not paid twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PriorAttempt {
    /// The request failed, or its response was lost: a payment may exist.
    Attempt(Box<Attempt>),
    /// The payment exists.
    Payment(Box<Awaiting>),
    /// The payment exists, but its price is no longer the order's: it can only be cancelled.
    Outdated(Box<Awaiting>),
    /// The payment exists, but its record contradicts its request: it can only be cancelled, and
    /// nothing of the record is shown.
    Mismatched(Box<Awaiting>),
    /// The payment has ended, but a wallet may have sent the money and not reported it yet. The next submit
    /// is a new attempt.
    Ended(Box<Awaiting>),
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

impl Default for State {
    fn default() -> Self {
        Self::Loading(Draft::default())
    }
}

impl State {
    /// The payment that the page shows, also once it has ended.
    #[must_use]
    pub fn payment(&self) -> Option<&Awaiting> {
        match self {
            Self::Awaiting(payment)
            | Self::Paid(payment)
            | Self::Closed(payment)
            | Self::Cancelled(payment) => Some(payment),
            Self::Loading(_)
            | Self::Unavailable(..)
            | Self::Choosing(_)
            | Self::Submitting(..)
            | Self::Failed(..) => None,
        }
    }

    /// Whether it shows a payment of test mode, or tokens to make one with.
    #[must_use]
    pub fn is_test(&self) -> bool {
        match self {
            Self::Choosing(choosing)
            | Self::Submitting(choosing, _)
            | Self::Failed(choosing, ..) => choosing.choices.iter().any(|choice| choice.test_mode),
            _ => self
                .payment()
                .is_some_and(|payment| payment.choice.test_mode),
        }
    }
}

impl Choosing {
    /// Whether `code` is one of the choices.
    #[must_use]
    pub fn offers(&self, code: &TokenCode) -> bool {
        self.choices.iter().any(|choice| choice.code == *code)
    }

    /// The earlier payment that was not cancelled.
    #[must_use]
    pub fn open_payment(&self) -> Option<&Awaiting> {
        match &self.prior {
            Some(
                PriorAttempt::Payment(awaiting)
                | PriorAttempt::Outdated(awaiting)
                | PriorAttempt::Mismatched(awaiting),
            ) => Some(awaiting),
            Some(PriorAttempt::Attempt(_) | PriorAttempt::Ended(_)) | None => None,
        }
    }

    /// The chosen token.
    #[must_use]
    pub fn chosen(&self) -> Option<&Choice> {
        let code = self.form.payment_token.as_ref()?;
        self.choices.iter().find(|choice| choice.code == *code)
    }
}
