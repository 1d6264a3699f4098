//! What a press of a button means.

use tender_checkout_core::{Event, FormEvent, PaymentEvent};

/// The meaning of a button. On the payment page without JavaScript, each is a link or submits a form: see `hosted`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Press {
    /// Repeats what failed.
    Retry,
    /// Goes back from a failure to the form.
    DismissFailure,
    /// Chooses another token for an open payment.
    ChangeToken,
    /// Starts again after a payment has ended.
    StartAgain,
    /// Goes back to the open payment.
    Resume,
    /// Answers whether money was sent for the payment that another one would replace.
    AnswerSent(bool),
    /// Stops waiting for the wallet.
    AbandonWallet,
    /// Asks to cancel the payment.
    RequestCancel,
    /// Keeps the payment after all.
    DismissCancel,
    /// Cancels the payment.
    ConfirmCancel,
}

impl From<Press> for Event {
    fn from(press: Press) -> Self {
        match press {
            Press::Retry => Self::Retried,
            Press::DismissFailure => FormEvent::FailureDismissed.into(),
            Press::ChangeToken => PaymentEvent::ChangeRequested.into(),
            Press::StartAgain => Self::Reset,
            Press::Resume => FormEvent::Resumed.into(),
            Press::AnswerSent(was_sent) => FormEvent::SentAnswered(was_sent).into(),
            Press::AbandonWallet => PaymentEvent::WalletAbandoned.into(),
            Press::RequestCancel => PaymentEvent::CancelRequested.into(),
            Press::DismissCancel => PaymentEvent::CancelDismissed.into(),
            Press::ConfirmCancel => PaymentEvent::CancelConfirmed.into(),
        }
    }
}
