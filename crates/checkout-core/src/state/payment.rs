//! A payment, and its progress as far as the page knows it.

use serde::{Deserialize, Serialize};
use tender_protocol::client::typed::in_ascii;
use tender_protocol::{Amount, Payment, PaymentState, Status};

use super::reads::Reads;
use super::sent::{HashSource, SentMark};
use crate::asset::{AssetInfo, Network, TransactionHash};
use crate::choice::Choice;
use crate::config::Config;
use crate::effect::PaymentReceipt;
use crate::failure::{Failure, FailureCode};
use crate::order::Request;
use crate::payment_uri::TEST_TEXT;
use crate::response::Created;
use crate::send::AmountToSend;
use crate::status_record::{OrderMoney, has_arrived};
use crate::transfer::Transfer;
use crate::wallet::{WalletFailure, WalletPayment, WalletRequest};

/// After this many reads of a receipt, six minutes, a transaction is late on all supported networks.
const SLOW_READS: u32 = 12;

/// A payment, with the request that created it and its progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckoutPayment {
    /// The record as it was created, with the latest status.
    pub record: Payment,
    /// The request that created it.
    pub request: Request,
    /// The chosen token.
    pub choice: Choice,
    /// The exact amount to send.
    pub send: AmountToSend,
    /// The proxy's receipt, if it issued one.
    pub receipt: Option<String>,
    /// What this tab may do with it.
    pub access: Access,
    /// What is known of the order's other payments.
    pub order_money: Option<OrderMoney>,
    /// Whether it was paid after it had been closed.
    pub is_late: bool,
    /// Whether the buyer still has to pay, as far as this page knows.
    pub progress: PaymentProgress,
    /// Whether the latest record contradicts the payment.
    pub latest: LatestRecord,
    /// The latest request to a wallet in the browser.
    pub wallet_payment: WalletPayment,
    /// The number of that request.
    pub wallet_request: WalletRequest,
    /// This page's mark that money may have been sent.
    pub mark: SentMark,
    /// Whether the buyer says on this page that nothing was sent, although another page has marked the payment.
    pub ignores_marks: bool,
    /// The cancellation.
    pub cancelling: Cancelling,
    /// Whether an earlier request to cancel may have cancelled the payment.
    pub is_cancel_unclear: bool,
    /// The status requests.
    pub polling: Polling,
    /// How they went.
    pub reads: Reads,
    /// The proxy's stream of status events.
    pub stream: Stream,
}

/// What a tab may do with a payment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Access {
    /// It has created the payment, or the buyer has said that nothing was sent: it may cancel and replace it.
    #[default]
    Owned,
    /// It has found the payment by its order, or a repeated request has returned it, so that another tab or device may have
    /// paid it. It may cancel the payment, and replaces it only after the buyer has said that no money was sent.
    Found,
    /// It has found the payment by an order whose `exp` is over: its receipt only reads.
    ReadOnly,
}

/// Whether the buyer still has to pay, as far as this page knows. The page asks for money only
/// while it is `Open`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaymentProgress {
    /// The status is still the one of the created record.
    Open,
    /// The status has changed. The meaning of other statuses is not documented: the buyer may have
    /// paid.
    StatusChanged,
    /// Money may have been sent: the proxy has a mark, which is not known to be this page's.
    Marked,
    /// Money may have been sent: the buyer has said so on this page.
    SaidSent,
    /// The buyer's transaction is known.
    Sent(TransactionHash, HashSource),
}

/// What the latest polled or streamed record says about the payment. The page does not say where to send
/// money while they contradict each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum LatestRecord {
    /// The same amount, token, invoice and wallet, or no record has followed.
    #[default]
    Consistent,
    /// Another amount, token, invoice or wallet. Its status may be that of another payment.
    Contradictory,
}

/// The cancellation of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cancelling {
    /// Not requested.
    Idle,
    /// The buyer is asked to confirm.
    Confirming,
    /// The request is under way.
    Requested,
    /// The request was refused, or its response was lost: the payment may still be open.
    Failed(Failure),
    /// The proxy has no route to cancel, so this request has cancelled nothing. Cancelling is offered again
    /// with the next poll, because a restarting proxy may respond the same way for a moment.
    Unavailable(Failure),
}

/// The requests for the status of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polling {
    /// Waiting for the next poll, if there is a receipt, after this many polls without a change.
    Waiting(u32),
    /// A request is under way, after this many polls without a change.
    Requesting(u32),
}

/// The proxy's stream of status events (server-sent events).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// The proxy has no such stream. It is requested again later, because a restarting proxy may
    /// respond the same way for a moment.
    Refused,
    /// The next poll opens it, if there is a receipt.
    Closed,
    /// Requested. Polling continues at the usual intervals until an event arrives, because an
    /// intermediary may buffer the events.
    Opening,
    /// An event has arrived, so polls are rare.
    Open,
}

impl CheckoutPayment {
    /// A payment whose record has just arrived.
    pub fn new(created: Created, request: Request, choice: Choice) -> Self {
        let has_moved = created.has_moved();
        let Created {
            payment,
            receipt,
            order_money,
            is_repeated,
            is_sent,
        } = created;
        let progress = if is_sent && !payment.state.is_some_and(has_arrived) {
            PaymentProgress::Marked
        } else if has_moved {
            PaymentProgress::StatusChanged
        } else {
            PaymentProgress::Open
        };
        Self {
            send: AmountToSend::new(payment.quantity_pay.clone(), choice.decimals),
            record: payment,
            request,
            choice,
            receipt,
            access: if is_repeated {
                Access::Found
            } else {
                Access::Owned
            },
            order_money,
            is_late: false,
            progress,
            latest: LatestRecord::Consistent,
            wallet_payment: WalletPayment::Idle,
            wallet_request: WalletRequest::default(),
            mark: SentMark::None,
            ignores_marks: false,
            cancelling: Cancelling::Idle,
            is_cancel_unclear: false,
            polling: Polling::Waiting(0),
            reads: Reads::default(),
            stream: Stream::Closed,
        }
    }

    /// The hash of the buyer's transaction, if known.
    pub fn transaction(&self) -> Option<&TransactionHash> {
        match &self.progress {
            PaymentProgress::Sent(hash, _) => Some(hash),
            PaymentProgress::Open
            | PaymentProgress::StatusChanged
            | PaymentProgress::Marked
            | PaymentProgress::SaidSent => None,
        }
    }

    /// Whether the page may ask for money: nothing suggests that the buyer has paid this or another payment of the order, no record
    /// contradicts the payment, and it has not ended.
    pub fn asks_for_money(&self) -> bool {
        self.progress == PaymentProgress::Open
            && self.latest == LatestRecord::Consistent
            && self.record.is_payable()
            && self.order_money.is_none()
    }

    /// Whether the payment is being cancelled, or a request to cancel it has an unknown outcome.
    pub fn may_be_cancelled(&self) -> bool {
        self.cancelling == Cancelling::Requested || self.is_cancel_unclear
    }

    /// Notes the failure of a request that should have cancelled the payment: some failures prove that it is not
    /// cancelled. Others say that money may have been sent for it.
    pub(crate) fn set_cancel_failed(&mut self, failure: &Failure) {
        self.is_cancel_unclear = match failure.code {
            FailureCode::MayBePaid => {
                self.mark();
                false
            }
            FailureCode::ConfigInvalid
            | FailureCode::NoTokens
            | FailureCode::OrderRefused
            | FailureCode::OrderExpired
            | FailureCode::PaymentOpen
            | FailureCode::RequestRefused => false,
            FailureCode::Unreachable
            | FailureCode::Timeout
            | FailureCode::ServiceFailed
            | FailureCode::AnswerUnreadable
            | FailureCode::AttemptEnded
            | FailureCode::EarlierPaymentOpen
            | FailureCode::RecordMismatch => true,
        };
    }

    /// Notes that money may have been sent.
    pub(crate) fn mark(&mut self) {
        if self.progress == PaymentProgress::Open {
            self.progress = PaymentProgress::Marked;
        }
    }

    /// Notes whether the proxy has a mark. While it may be this page's own, it says nothing of others.
    pub(crate) fn hear_mark(&mut self, is_sent: bool) {
        if self.mark.may_stand() {
            return;
        }
        self.ignores_marks &= is_sent;
        if is_sent && !self.ignores_marks {
            self.mark();
        } else if !is_sent && self.progress == PaymentProgress::Marked {
            self.progress = if self.has_moved() {
                PaymentProgress::StatusChanged
            } else {
                PaymentProgress::Open
            };
        }
    }

    /// Whether the record says that money was seen, or has another status than a new payment.
    fn has_moved(&self) -> bool {
        self.record.state.is_some_and(has_arrived)
            || matches!(self.record.status, Status::Other { .. })
    }

    /// Whether a wallet can be asked to pay: none is, and none may have sent the money.
    pub fn may_ask_wallet(&self) -> bool {
        self.asks_for_money()
            && !self.may_be_cancelled()
            && !self.is_wallet_asked()
            && !self.is_wallet_unclear()
    }

    /// Whether the buyer can say that nothing was sent, where there is a mark, or a wallet may have sent it. The page then asks
    /// for the money again, so not once the status has changed.
    pub fn may_say_unsent(&self) -> bool {
        let is_doubted = match self.progress {
            PaymentProgress::Marked | PaymentProgress::SaidSent => !self.has_moved(),
            PaymentProgress::Open => self.is_wallet_unclear(),
            PaymentProgress::StatusChanged | PaymentProgress::Sent(..) => false,
        };
        is_doubted && self.access != Access::ReadOnly && !self.is_wallet_asked()
    }

    /// Whether the buyer may cancel: not while a wallet asks them to pay, and not once the money may be on its way, because
    /// the transaction is known, the status has changed, the payment is pending or underpaid, or the proxy has a mark.
    pub fn may_cancel(&self) -> bool {
        self.progress == PaymentProgress::Open
            && self.access != Access::ReadOnly
            && !self.record.state.is_some_and(has_arrived)
            && !self.is_wallet_asked()
            && !self.is_marked()
    }

    /// Whether the proxy may refuse to cancel this payment, because of a mark.
    fn is_marked(&self) -> bool {
        self.mark.may_stand() || self.ignores_marks
    }

    /// Whether only the proxy's mark keeps the buyer from cancelling.
    pub fn is_held_by_mark(&self) -> bool {
        self.progress == PaymentProgress::Open
            && !self.is_wallet_asked()
            && (matches!(self.mark, SentMark::Set(_)) || self.ignores_marks)
    }

    /// Whether another payment may take the place of this one, once it is cancelled.
    pub fn may_be_replaced(&self) -> bool {
        !self.may_be_paid()
            && !self.is_wallet_asked()
            && !self.is_marked()
            && self.access != Access::ReadOnly
    }

    /// Whether the proxy should have a mark: the transaction is known, the buyer says that money was sent, or a wallet is next
    /// asked to send it or may have sent it.
    pub fn needs_mark(&self) -> bool {
        let is_wallet_next = matches!(&self.wallet_payment, WalletPayment::Preparing(preparation)
            if preparation.step.needs_mark());
        self.transaction().is_some()
            || self.progress == PaymentProgress::SaidSent
            || is_wallet_next
            || self.is_wallet_unclear()
    }

    /// Whether the buyer may change or remove the hash, or enter one.
    pub fn may_edit_hash(&self) -> bool {
        match self.progress {
            PaymentProgress::Open
            | PaymentProgress::StatusChanged
            | PaymentProgress::Marked
            | PaymentProgress::SaidSent
            | PaymentProgress::Sent(_, HashSource::Typed) => true,
            PaymentProgress::Sent(_, HashSource::Returned(_) | HashSource::Final) => false,
        }
    }

    /// Whether the transaction was not seen on the network for long.
    pub fn is_confirmation_slow(&self) -> bool {
        matches!(self.progress, PaymentProgress::Sent(_, HashSource::Returned(watch))
            if watch.reads >= SLOW_READS)
    }

    /// Whether the proxy says that the payment is paid.
    pub fn is_paid(&self) -> bool {
        self.record.state == Some(PaymentState::Paid)
    }

    /// Whether money may already be on its way: the page no longer asks for it, or the outcome of a wallet
    /// request is not known.
    pub fn may_be_paid(&self) -> bool {
        !self.asks_for_money() || self.is_wallet_unclear()
    }

    /// Whether a wallet may have sent the money without reporting it.
    pub fn is_wallet_unclear(&self) -> bool {
        matches!(
            self.wallet_payment,
            WalletPayment::Asked(_)
                | WalletPayment::Abandoned(_)
                | WalletPayment::Signed(..)
                | WalletPayment::Failed(WalletFailure::Unclear)
        )
    }

    /// Whether the buyer may choose another token. This payment is then cancelled first.
    pub fn may_change(&self) -> bool {
        self.may_be_replaced()
            && matches!(self.cancelling, Cancelling::Idle | Cancelling::Failed(_))
    }

    /// Whether a request is for the same payment. Nothing is known of the buyer who has requested one that was found.
    pub(crate) fn is_same_purchase(&self, request: &Request) -> bool {
        match self.access {
            Access::Owned => self.request == *request,
            Access::Found | Access::ReadOnly => {
                self.request.without_buyer() == request.without_buyer()
            }
        }
    }

    /// The payment's identifier and receipt, if the proxy issued one.
    pub(crate) fn with_receipt(&self) -> Option<PaymentReceipt> {
        Some(PaymentReceipt {
            transaction_id: self.record.transaction_id.clone(),
            receipt: self.receipt.clone()?,
        })
    }

    /// Whether the buyer may start again once this payment has ended. A buyer who may have sent money must not be asked to
    /// pay again.
    pub fn may_start_again(&self) -> bool {
        match self.progress {
            PaymentProgress::Open | PaymentProgress::StatusChanged => {
                self.access != Access::ReadOnly && !self.ignores_marks
            }
            PaymentProgress::Marked | PaymentProgress::SaidSent | PaymentProgress::Sent(..) => {
                false
            }
        }
    }

    /// The network of the chosen token, if known.
    pub fn network(&self) -> Option<Network> {
        Some(AssetInfo::of(&self.choice.code)?.network)
    }

    /// Reads a transaction hash of the payment's network.
    pub fn read_hash(&self, text: &str) -> Option<TransactionHash> {
        TransactionHash::parse(&in_ascii(text), self.network()?)
    }

    /// Whether the buyer may send any amount: the order lets the payer choose it, and the record's
    /// amount is zero.
    pub fn accepts_any_amount(&self) -> bool {
        self.send.amount.is_zero()
    }

    /// The order's price, if it is in the chosen token and the amount to send differs by one percent or more: services add
    /// digits by which they recognise a payment, but not that much.
    pub fn other_price(&self, config: &Config) -> Option<&Amount> {
        let price = &self.record.quantity;
        let is_same_token = config.order.claims().token == self.choice.code;
        (is_same_token && !price.is_zero() && price.differs_by_a_percent(&self.send.amount))
            .then_some(price)
    }

    /// The transfer that a wallet in the browser can be asked for.
    pub fn transfer(&self) -> Option<Transfer> {
        Transfer::new(&self.choice, &self.send, &self.record.wallet)
    }

    /// The symbol of the coin that pays for the network's fees, if known.
    pub fn fee_coin(&self) -> Option<&'static str> {
        self.network()?.coin()
    }

    /// What is copied as the address. In test mode it is [`TEST_TEXT`], so that a buyer who doesn't read the page can't lose
    /// money, while a developer can still try the button.
    pub fn copied_wallet(&self) -> &str {
        if self.choice.test_mode {
            TEST_TEXT
        } else {
            &self.record.wallet
        }
    }

    /// What the shop needs to find the payment, one `name: value` per line. The names are those of the service's record, with
    /// `network` and `transactionHash`.
    pub fn details_for_shop(&self, invoice: &str) -> String {
        let record = &self.record;
        let (amount, code) = (self.send.amount.to_string(), self.choice.code.to_string());
        let network = self.choice.network_and_standard();
        let mut details = vec![
            ("invoiceNumber", invoice),
            ("transactionId", &record.transaction_id),
            ("quantityPay", &amount),
            ("paymentToken", &code),
            ("network", &network),
            ("wallet", &record.wallet),
        ];
        let hash = self.transaction().map(TransactionHash::as_str);
        details.extend(hash.map(|hash| ("transactionHash", hash)));
        let lines = details
            .iter()
            .map(|(name, value)| format!("{name}: {value}"));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Whether a wallet is or is about to be asked to pay, and the page waits for it.
    pub fn is_wallet_asked(&self) -> bool {
        matches!(
            self.wallet_payment,
            WalletPayment::Preparing(_) | WalletPayment::Asked(_)
        )
    }

    /// The explorer's page of the transaction; without a hash, the explorer's start page.
    pub fn explorer_url(&self) -> Option<String> {
        let explorer = self.choice.explorer.as_ref()?;
        Some(match self.transaction() {
            Some(hash) => explorer.transaction(hash),
            None => explorer.origin(),
        })
    }
}
