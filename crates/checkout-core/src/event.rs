//! What comes in: from the buyer, the shop's page, the proxy and the clock.

use tender_protocol::TokenCode;

use crate::answer::FetchResult;
use crate::state::AttemptKey;
use crate::wallet::{WalletFailure, WalletId};

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// The element is in the page, with what the tab remembers of its order
    /// ([`remember`](crate::memory::remember)).
    Started(Option<String>),
    /// The token listing was answered.
    TokensFetched(FetchResult),
    /// The buyer chose a token.
    TokenChosen(TokenCode),
    /// The buyer typed an e-mail address.
    EmailTyped(String),
    /// The buyer typed a name.
    NameTyped(String),
    /// The buyer typed an amount.
    AmountTyped(String),
    /// The buyer submitted the form. The key serves if this is a new attempt.
    Submitted(AttemptKey),
    /// The create request of this attempt was answered.
    CreateFinished(AttemptKey, FetchResult),
    /// The buyer tries again what failed.
    Retried,
    /// The buyer goes back from a failure to the choice.
    FailureDismissed,
    /// The buyer wants to pay with another token.
    ChangeRequested,
    /// The buyer goes back to the payment that is still open.
    Resumed,
    /// The buyer pasted what may be a transaction hash.
    HashEntered(String),
    /// The buyer wants to pay from this wallet.
    WalletChosen(WalletId),
    /// The wallet that was asked to pay this payment gave a transaction's hash, or did not.
    WalletFinished(String, Result<String, WalletFailure>),
    /// The buyer wants to cancel.
    CancelRequested,
    /// The buyer thought better of it.
    CancelDismissed,
    /// The buyer means it.
    CancelConfirmed,
    /// The cancel request of this payment was answered.
    CancelFinished(String, FetchResult),
    /// It is time to look after the status.
    PollDue,
    /// The status request of this payment was answered.
    StatusFetched(String, FetchResult),
    /// The stream of this payment brought a record, as JSON.
    StatusReceived(String, String),
    /// The stream of this payment ended, or never began; another may work.
    StreamLost(String),
    /// The proxy has no stream of this payment.
    StreamRefused(String),
    /// What a payment needs could not be loaded.
    PartLost,
    /// Nobody sees the page any more.
    PageHidden,
    /// The page is seen again, or its network is back.
    PageSeen,
    /// The shop's page called `refresh()`.
    Refreshed,
    /// The shop's page called `reset()`, or the buyer starts again after a cancellation.
    Reset,
    /// Attributes changed that leave the order as it is, and the configuration with them.
    Reconfigured,
}
