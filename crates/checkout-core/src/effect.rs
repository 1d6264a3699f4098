//! Effects: requests, timers and host events, as data. The driver executes them.

use tender_protocol::{Payment, Status, TokenCode};

#[cfg(doc)]
use crate::event::{Event, FormEvent, PaymentEvent, SentEvent, StatusEvent};
use crate::failure::Failure;
use crate::state::{Attempt, CheckoutPayment, MarkSecret};
use crate::transfer::Transfer;
use crate::wallet::{WalletId, WalletQuestion, WalletRequest};

/// Something to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// `GET` the token listing; ends with [`TokensFetched`](Event::TokensFetched).
    FetchTokens,
    /// `GET` the payment of the signed order; ends with [`FindFinished`](Event::FindFinished).
    FindPayment,
    /// `POST` the attempt; ends with [`CreateFinished`](FormEvent::CreateFinished). The proxy cancels the payment that it replaces.
    Create(Box<Attempt>, Option<PaymentReceipt>),
    /// `POST` the cancellation; ends with [`CancelFinished`](PaymentEvent::CancelFinished).
    Cancel {
        /// The payment to cancel.
        transaction_id: String,
        /// The proxy's receipt, if it issued one.
        receipt: Option<String>,
    },
    /// `GET` the latest record; ends with [`Fetched`](StatusEvent::Fetched).
    ReadStatus(PaymentReceipt),
    /// Send [`PollDue`](StatusEvent::PollDue) after about this many seconds, with random jitter so that pages do not poll
    /// in step. Replaces the timer before it.
    SchedulePoll(u32),
    /// Open the proxy's stream of server-sent events: [`Received`](StatusEvent::Received) for each event,
    /// [`StreamLost`](StatusEvent::StreamLost) or [`StreamRefused`](StatusEvent::StreamRefused) at its end. One stream is open at
    /// a time.
    Subscribe(PaymentReceipt),
    /// Close the stream.
    Unsubscribe,
    /// Choose a random secret for a mark of this payment; ends with [`SecretChosen`](SentEvent::SecretChosen).
    ChooseSecret(String),
    /// `PUT` the mark with this secret that money may have been sent; ends with [`MarkFinished`](SentEvent::MarkFinished).
    MarkSent(PaymentReceipt, MarkSecret),
    /// `DELETE` it; ends with [`UnmarkFinished`](SentEvent::UnmarkFinished).
    UnmarkSent(PaymentReceipt, MarkSecret),
    /// Ask a wallet in the browser something that sends nothing; ends with [`WalletAnswered`](PaymentEvent::WalletAnswered).
    AskWallet {
        /// What is to be paid, and by which request.
        payment: WalletTransfer,
        /// The number of the question, to send with the answer.
        number: u32,
        /// The question.
        question: WalletQuestion,
    },
    /// Ask a wallet to send the money from this account, or on TRON to sign the transaction that it has built. It is called before
    /// another event is handled; ends with
    /// [`WalletFinished`](SentEvent::WalletFinished).
    AskToSend(WalletTransfer, String),
    /// Broadcast the transaction that the wallet has signed. Whatever the answer is, also if it is lost, the transaction may
    /// arrive until it has expired.
    Broadcast(WalletTransfer),
    /// Read the receipt of a transaction through the wallet's provider, after this many seconds; ends with
    /// [`ReceiptRead`](SentEvent::ReceiptRead).
    ReadReceipt {
        /// The wallet; `None` for any.
        wallet: Option<WalletId>,
        /// The payment.
        transaction_id: String,
        /// What was sent.
        transfer: Box<Transfer>,
        /// The transaction's hash.
        hash: String,
        /// When it expires, in milliseconds since 1970, if it does.
        expiration: Option<u64>,
        /// The wait, in seconds.
        seconds: u32,
    },
    /// Dispatch an event on the element, for the shop's page.
    Emit(Box<HostEvent>),
}

/// What a wallet is asked to pay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalletTransfer {
    /// The wallet.
    pub wallet: WalletId,
    /// The number of the request, to send with the answer.
    pub request: WalletRequest,
    /// The payment.
    pub transaction_id: String,
    /// What to send.
    pub transfer: Box<Transfer>,
}

/// The proxy's receipt of a payment. Its holder may follow, mark and replace the payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentReceipt {
    /// The payment's identifier.
    pub transaction_id: String,
    /// The receipt.
    pub receipt: String,
}

impl Effect {
    /// The request that cancels a payment.
    pub(crate) fn cancel(payment: &CheckoutPayment) -> Self {
        Self::Cancel {
            transaction_id: payment.record.transaction_id.clone(),
            receipt: payment.receipt.clone(),
        }
    }
}

/// An event for the shop's page: a `CustomEvent` on the element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostEvent {
    /// `tender-ready`: the codes that are offered.
    Ready(Vec<TokenCode>),
    /// `tender-created`.
    Created(Payment),
    /// `tender-status`.
    Status {
        /// The record with its new status.
        payment: Payment,
        /// The previous status.
        previous: Status,
    },
    /// `tender-transaction`.
    Transaction {
        /// The transaction's hash.
        hash: String,
        /// The explorer's page of the transaction, if the network has an explorer.
        url: Option<String>,
    },
    /// `tender-cancelled`.
    Cancelled(Payment),
    /// `tender-pending`.
    Pending(Payment),
    /// `tender-underpaid`.
    Underpaid(Payment),
    /// `tender-paid`.
    Paid(Payment),
    /// `tender-closed`.
    Closed(Payment),
    /// `tender-error`.
    Error(Failure),
}
