//! Events: what the buyer, the shop's page, the proxy, a wallet or the clock did.

use tender_protocol::TokenCode;

use crate::response::FetchResult;
use crate::state::AttemptKey;
use crate::wallet::{Receipt, WalletFailure, WalletId, WalletRequest};

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// The element was connected. Carries what [`remember`](crate::memory::remember) saved for
    /// this order, if anything.
    Started(Option<String>),
    /// The request for the token listing finished.
    TokensFetched(FetchResult),
    /// The look-up of the order's payment finished.
    FindFinished(FetchResult),
    /// The buyer chose a token.
    TokenChosen(TokenCode),
    /// The buyer typed an e-mail address.
    EmailTyped(String),
    /// The buyer typed a name.
    NameTyped(String),
    /// The buyer typed an amount.
    AmountTyped(String),
    /// The buyer submitted the form. The key is used if this is a new attempt.
    Submitted(AttemptKey),
    /// The create request of this attempt finished.
    CreateFinished(AttemptKey, FetchResult),
    /// The buyer pressed "Try again".
    Retried,
    /// The buyer went back from a failure to the form.
    FailureDismissed,
    /// The buyer wants to pay with another token.
    ChangeRequested,
    /// The buyer went back to the open payment.
    Resumed,
    /// The buyer says whether they have sent money for the payment that another one would replace.
    SentAnswered(bool),
    /// The buyer entered a transaction hash.
    HashEntered(String),
    /// The buyer removed the transaction hash that they had entered.
    HashRemoved,
    /// The request to store the mark of this payment finished.
    MarkFinished(String, FetchResult),
    /// The request to remove the mark with this secret from this payment finished.
    UnmarkFinished(String, String, FetchResult),
    /// The buyer wants to pay from this wallet.
    WalletChosen(WalletId),
    /// A wallet request of this payment finished, with a transaction hash or a failure.
    WalletFinished(String, WalletRequest, Result<String, WalletFailure>),
    /// The receipt of the transaction with this hash, of this payment, was read through the wallet's provider.
    ReceiptRead(String, String, Receipt),
    /// The buyer stopped waiting for the wallet.
    WalletAbandoned,
    /// The buyer wants to cancel the payment.
    CancelRequested,
    /// The buyer decided not to cancel.
    CancelDismissed,
    /// The buyer confirmed the cancellation.
    CancelConfirmed,
    /// The cancel request of this payment finished.
    CancelFinished(String, FetchResult),
    /// The time of the scheduled poll has come.
    PollDue,
    /// The status request of this payment finished.
    StatusFetched(String, FetchResult),
    /// The stream of this payment delivered a record, as JSON.
    StatusReceived(String, String),
    /// The stream of this payment ended or could not be opened; a new one may work.
    StreamLost(String),
    /// The proxy has no stream for this payment.
    StreamRefused(String),
    /// The page was hidden.
    PageHidden,
    /// The page is visible again, or back online.
    PageSeen,
    /// The shop's page called `refresh()`.
    Refreshed,
    /// The shop's page called `reset()`, or the buyer starts again after a cancellation.
    Reset,
    /// Attributes other than the order changed, and the configuration with them.
    Reconfigured,
}

/// The events that only a form has: what the buyer enters, and the requests for it.
macro_rules! form_events {
    () => {
        Event::TokenChosen(_)
            | Event::EmailTyped(_)
            | Event::NameTyped(_)
            | Event::AmountTyped(_)
            | Event::Submitted(_)
            | Event::CreateFinished(..)
            | Event::FailureDismissed
            | Event::Resumed
            | Event::SentAnswered(_)
    };
}

/// The events that only a payment has, except those that follow its status.
macro_rules! payment_events {
    () => {
        Event::ChangeRequested
            | Event::HashEntered(_)
            | Event::HashRemoved
            | Event::MarkFinished(..)
            | Event::UnmarkFinished(..)
            | Event::ReceiptRead(..)
            | Event::WalletChosen(_)
            | Event::WalletFinished(..)
            | Event::WalletAbandoned
            | Event::CancelRequested
            | Event::CancelDismissed
            | Event::CancelConfirmed
            | Event::CancelFinished(..)
    };
}

/// The events that follow the status of a payment.
macro_rules! status_events {
    () => {
        Event::PollDue
            | Event::StatusFetched(..)
            | Event::StatusReceived(..)
            | Event::StreamLost(_)
            | Event::StreamRefused(_)
            | Event::PageHidden
            | Event::PageSeen
    };
}

pub(crate) use {form_events, payment_events, status_events};
