//! What goes out: requests, waits and host events. Only the driver executes them.

use tender_protocol::{Payment, Status, TokenCode};

use crate::failure::Failure;
use crate::state::{Attempt, Awaiting};
use crate::transfer::Transfer;
use crate::wallet::WalletId;

/// Something to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// `GET` the token listing; answer with `TokensFetched`.
    FetchTokens,
    /// `POST` the attempt; answer with `CreateFinished`.
    Create(Box<Attempt>),
    /// `POST` the cancellation; answer with `CancelFinished`.
    Cancel {
        /// The payment to cancel.
        transaction_id: String,
        /// The proxy's receipt, where it gave one.
        receipt: Option<String>,
    },
    /// `GET` the latest record; answer with `StatusFetched`.
    ReadStatus {
        /// The payment to read.
        transaction_id: String,
        /// The proxy's receipt.
        receipt: String,
    },
    /// Come back with `PollDue` after about so many seconds, drawn anew each time so that pages do
    /// not ask in step; one such wait at a time.
    SchedulePoll(u32),
    /// Open the proxy's stream of server-sent events: `StatusReceived` for each of them, and
    /// `StreamLost` or `StreamRefused` when it ends. One stream at a time.
    Subscribe {
        /// The payment to hear of.
        transaction_id: String,
        /// The proxy's receipt.
        receipt: String,
    },
    /// Close the stream.
    Unsubscribe,
    /// Ask a wallet in the browser to pay; answer with `WalletFinished`.
    RequestWalletPayment {
        /// Which wallet.
        wallet: WalletId,
        /// The payment that it is for.
        transaction_id: String,
        /// What to send.
        transfer: Box<Transfer>,
    },
    /// Tell the shop's page.
    Emit(Box<HostEvent>),
}

impl Effect {
    /// The request that cancels a payment.
    pub(crate) fn cancel(awaiting: &Awaiting) -> Self {
        Self::Cancel {
            transaction_id: awaiting.payment.transaction_id.clone(),
            receipt: awaiting.receipt.clone(),
        }
    }
}

/// An event for the shop's page: a `CustomEvent` on the element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostEvent {
    /// `tender-ready`: the codes on offer.
    Ready(Vec<TokenCode>),
    /// `tender-created`.
    Created(Payment),
    /// `tender-status`.
    Status {
        /// The record with its new status.
        payment: Payment,
        /// The status before.
        previous: Status,
    },
    /// `tender-transaction`.
    Transaction {
        /// The transaction's hash.
        hash: String,
        /// Its page at the explorer, where there is one.
        url: Option<String>,
    },
    /// `tender-cancelled`.
    Cancelled(Payment),
    /// `tender-error`.
    Error(Failure),
}
