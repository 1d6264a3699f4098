//! Events: what the buyer, the shop's page, the proxy, a wallet or the clock did.

use tender_protocol::TokenCode;

use crate::form::Form;
use crate::response::FetchResult;
use crate::state::{AttemptKey, MarkSecret};
use crate::wallet::{
    Receipt, WalletAnswer, WalletFailure, WalletId, WalletRequest, WalletTransaction,
};

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// The element was connected. Carries what [`save`](crate::saved::save) returned for this order, if anything.
    Started(Option<String>),
    /// The request for the token listing finished.
    TokensFetched(FetchResult),
    /// The look-up of the order's payment finished.
    FindFinished(FetchResult),
    /// The buyer pressed "Try again".
    Retried,
    /// The shop's page called `refresh()`.
    Refreshed,
    /// The shop's page called `reset()`, or the buyer starts again after a cancellation.
    Reset,
    /// Attributes other than the order changed, and the configuration with them. Carries the form that the earlier ones filled
    /// in.
    Reconfigured(Box<Form>),
    /// The form was changed, submitted or left, or its request finished.
    Form(FormEvent),
    /// The buyer pays or cancels the payment, or a request for it finished.
    Payment(PaymentEvent),
    /// What becomes known about money that may have been sent. It counts in every state.
    Sent(SentEvent),
    /// The status of the payment is to be read, or was read.
    Status(StatusEvent),
}

/// A field of the form, and its new value.
#[derive(Clone, Debug)]
pub enum Edit {
    /// The chosen token.
    Token(TokenCode),
    /// The e-mail address, as typed.
    Email(String),
    /// The name, as typed.
    Name(String),
    /// The amount, as typed.
    Amount(String),
}

/// An event of the form.
#[derive(Clone, Debug)]
pub enum FormEvent {
    /// The buyer changed a field.
    Edited(Edit),
    /// Before the buyer submitted the form, another element of the page has saved this for the same order.
    SavedElsewhere(String),
    /// The buyer submitted the form. The key is used if this is a new attempt.
    Submitted(AttemptKey),
    /// The create request of this attempt finished.
    CreateFinished(AttemptKey, FetchResult),
    /// The buyer went back from a failure to the form.
    FailureDismissed,
    /// The buyer went back to the open payment.
    Resumed,
    /// The buyer says whether they have sent money for the payment that another one would replace.
    SentAnswered(bool),
}

/// An event of a payment.
#[derive(Clone, Debug)]
pub enum PaymentEvent {
    /// The buyer wants to pay with another token.
    ChangeRequested,
    /// The buyer entered a transaction hash.
    HashEntered(String),
    /// The buyer removed the transaction hash that they had entered.
    HashRemoved,
    /// The buyer wants to pay from this wallet.
    WalletChosen(WalletId),
    /// The wallet answered the question with this number, of this request for this payment.
    WalletAnswered(
        String,
        WalletRequest,
        u32,
        Result<WalletAnswer, WalletFailure>,
    ),
    /// The buyer stopped waiting for the wallet.
    WalletAbandoned,
    /// The buyer says that nothing was sent, although there is a mark, or a wallet may have sent it.
    NothingSent,
    /// The buyer wants to cancel the payment.
    CancelRequested,
    /// The buyer decided not to cancel.
    CancelDismissed,
    /// The buyer confirmed the cancellation.
    CancelConfirmed,
    /// The cancel request of this payment finished.
    CancelFinished(String, FetchResult),
}

/// An event about money that may have been sent. It may arrive late, when the buyer has left the payment.
#[derive(Clone, Debug)]
pub enum SentEvent {
    /// A wallet that was asked to send the money for this payment finished, with a transaction or a failure.
    WalletFinished(
        String,
        WalletRequest,
        Result<WalletTransaction, WalletFailure>,
    ),
    /// The secret of a mark of this payment was chosen.
    SecretChosen(String, MarkSecret),
    /// The request to mark this payment finished.
    MarkFinished(String, FetchResult),
    /// The request to remove the mark with this secret from this payment finished.
    UnmarkFinished(String, MarkSecret, FetchResult),
    /// The receipt of the transaction with this hash, of this payment, was read through the wallet's provider.
    ReceiptRead(String, String, Receipt),
}

/// An event that is about reading the status of a payment.
#[derive(Clone, Debug)]
pub enum StatusEvent {
    /// The time of the scheduled poll has come.
    PollDue,
    /// The status request of this payment finished.
    Fetched(String, FetchResult),
    /// The stream of this payment delivered a record, as JSON.
    Received(String, String),
    /// The stream of this payment ended or could not be opened; a new one may work.
    StreamLost(String),
    /// The proxy has no stream for this payment.
    StreamRefused(String),
    /// The page was hidden.
    PageHidden,
    /// The page is visible again, or back online.
    PageSeen,
}

impl From<Edit> for Event {
    fn from(edit: Edit) -> Self {
        Self::Form(FormEvent::Edited(edit))
    }
}

impl From<FormEvent> for Event {
    fn from(event: FormEvent) -> Self {
        Self::Form(event)
    }
}

impl From<PaymentEvent> for Event {
    fn from(event: PaymentEvent) -> Self {
        Self::Payment(event)
    }
}

impl From<SentEvent> for Event {
    fn from(event: SentEvent) -> Self {
        Self::Sent(event)
    }
}

impl From<StatusEvent> for Event {
    fn from(event: StatusEvent) -> Self {
        Self::Status(event)
    }
}
