//! The state of a checkout.

mod attempt;
mod cancelling;
mod facts;
mod following;
mod money;
mod payment;
mod reads;
mod sent;

use tender_protocol::{Token, TokenCode};

pub use self::attempt::{Attempt, AttemptKey, PriorAttempt};
pub use self::cancelling::Cancelling;
pub use self::facts::{Access, Facts, LatestRecord, PaymentProgress};
pub use self::following::{Following, Polling, Stream};
pub use self::payment::CheckoutPayment;
pub use self::reads::Reads;
pub use self::sent::{MarkSecret, SentMark};
use crate::choice::Choice;
use crate::config::Config;
use crate::failure::Failure;
use crate::form::{Form, FormProblem};
use crate::found::FoundPayment;

/// The state of a checkout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// What stays while the phase changes.
    pub context: Context,
    /// What the page shows.
    pub phase: Phase,
}

/// What stays while the phase changes: what the buyer typed, and the attempt that must not be paid twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// What the buyer has chosen and typed.
    pub form: Form,
    /// An earlier attempt that was not cancelled. While a payment is shown, there is none.
    pub prior: Option<PriorAttempt>,
    /// The look-up of the order's payment.
    pub look_up: LookUp,
}

/// What the page shows. A view shows exactly one of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The token listing is being fetched. An order's payment that was found meanwhile is shown once the listing, which
    /// names its token, has arrived.
    Loading(Option<Box<FoundPayment>>),
    /// The token listing could not be fetched, or nothing may be bought.
    Unavailable(Failure),
    /// The buyer chooses a token and fills in the form.
    Choosing(Choosing),
    /// The form was submitted.
    Submitting(Choosing, Attempt, SubmitStep),
    /// The payment was not created, or the response was lost.
    Failed(Choosing, Attempt, Failure),
    /// The payment exists: the buyer sees the amount and the wallet.
    Awaiting(Box<CheckoutPayment>),
    /// No money should be sent to the payment any more.
    NotPayable(Reason, Box<CheckoutPayment>),
}

/// Why no money should be sent to a payment any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Money has been seen, and is not confirmed yet.
    Pending,
    /// Less than the amount has arrived.
    Underpaid,
    /// It is not known whether the payment has ended.
    Unknown,
    /// Another payment of the order is paid.
    OrderPaid,
    /// Money was seen for another payment of the order.
    OrderSeen,
    /// The payment is paid.
    Paid,
    /// The payment has ended without being paid.
    Closed,
    /// The payment was cancelled on this page.
    Cancelled,
}

/// The look-up of the order's payment, which another tab or another device may have created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LookUp {
    /// There is nothing to look up: the order has no payment or is unsigned, the proxy has no such route, or this tab has
    /// the order's payment.
    #[default]
    Done,
    /// The request is under way.
    Requested,
    /// It was not requested yet, or the request has failed. It is sent before a payment is created.
    Due,
}

/// The request that is under way for a submitted form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubmitStep {
    /// The look-up of the order's payment: before the payment is created, or because of this failure of its creation.
    Finding(Option<Failure>),
    /// The cancellation of the open payment. If it is cancelled, the new payment is created.
    Cancelling,
    /// The creation of the payment.
    Creating,
}

/// The tokens to choose from, and what became of submitting the form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choosing {
    /// The token listing.
    pub tokens: Vec<Token>,
    /// The tokens of it to choose from.
    pub choices: Vec<Choice>,
    /// Symbol of the token that the order is priced in, which need not be among the choices.
    pub price_symbol: String,
    /// Why the form could not be submitted.
    pub problem: Option<FormProblem>,
    /// How often the buyer has submitted it.
    pub submits: u32,
}

impl Default for Phase {
    fn default() -> Self {
        Self::Loading(None)
    }
}

impl State {
    /// The payment that the page shows, also once it has ended.
    pub fn payment(&self) -> Option<&CheckoutPayment> {
        match &self.phase {
            Phase::Awaiting(payment) | Phase::NotPayable(_, payment) => Some(payment),
            Phase::Loading(_)
            | Phase::Unavailable(_)
            | Phase::Choosing(_)
            | Phase::Submitting(..)
            | Phase::Failed(..) => None,
        }
    }

    /// The tokens to choose from, in every phase that shows the form.
    pub fn choosing(&self) -> Option<&Choosing> {
        match &self.phase {
            Phase::Choosing(choosing)
            | Phase::Submitting(choosing, ..)
            | Phase::Failed(choosing, ..) => Some(choosing),
            Phase::Loading(_)
            | Phase::Unavailable(_)
            | Phase::Awaiting(_)
            | Phase::NotPayable(..) => None,
        }
    }

    /// The chosen token.
    pub fn chosen(&self) -> Option<&Choice> {
        self.choosing()?.chosen(&self.context.form)
    }

    /// Whether it shows a payment of test mode, or tokens to make one with.
    pub fn is_test(&self) -> bool {
        let offers_test =
            |choosing: &Choosing| choosing.choices.iter().any(|choice| choice.test_mode);
        self.choosing().is_some_and(offers_test)
            || self
                .payment()
                .is_some_and(|payment| payment.choice.test_mode)
    }
}

impl Context {
    /// Applies changed attributes to the form: see [`Form::reconfigured`].
    pub(crate) fn reconfigure(&mut self, config: &Config, before: &Form) {
        self.form = std::mem::take(&mut self.form).reconfigured(before, config);
    }

    /// The earlier payment that was not cancelled.
    pub fn open_payment(&self) -> Option<&CheckoutPayment> {
        self.prior.as_ref()?.open()
    }

    /// The payment that another one would replace, if the buyer must first say whether they have sent money for it.
    pub fn open_question(&self) -> Option<&CheckoutPayment> {
        self.open_payment()
            .filter(|open| open.facts.access == Access::Found)
    }
}

impl Choosing {
    /// All tokens of the listing, also those that may not be chosen: a payment that is found may be in any of them.
    pub(crate) fn listed(&self) -> Vec<Choice> {
        self.tokens.iter().cloned().map(Choice::from).collect()
    }

    /// Whether `code` is one of the choices.
    pub fn offers(&self, code: &TokenCode) -> bool {
        self.choices.iter().any(|choice| choice.code == *code)
    }

    /// The token that is chosen in the form.
    pub(crate) fn chosen(&self, form: &Form) -> Option<&Choice> {
        let code = form.payment_token.as_ref()?;
        self.choices.iter().find(|choice| choice.code == *code)
    }
}
