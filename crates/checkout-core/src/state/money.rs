//! Whether the page asks for the money of a payment, and whether it may have been sent.

use tender_protocol::Status;

use super::{Access, CheckoutPayment, LatestRecord, PaymentProgress, SentMark};
use crate::status_record::has_arrived;
use crate::wallet::WalletPayment;

/// After this many reads of a receipt, six minutes, a transaction is late on all supported networks.
const SLOW_READS: u32 = 12;

impl CheckoutPayment {
    /// Whether the page may ask for money: nothing suggests that the buyer has paid this or another payment of the order, no record
    /// contradicts the payment, and it has not ended.
    pub fn asks_for_money(&self) -> bool {
        self.facts.progress() == PaymentProgress::Open
            && self.facts.latest == LatestRecord::Consistent
            && self.record.is_payable()
            && !self.facts.is_order_paid
            && !self.facts.is_order_seen
    }

    /// Whether money may already be on its way: the page no longer asks for it, or the outcome of a wallet
    /// request is not known.
    pub fn may_be_paid(&self) -> bool {
        !self.asks_for_money() || self.wallet.is_unclear()
    }

    /// Whether a wallet can be asked to pay: none is, and none may have sent the money.
    pub fn may_ask_wallet(&self) -> bool {
        !self.may_be_paid() && !self.may_be_cancelled() && !self.wallet.is_asked()
    }

    /// Notes whether the proxy has a mark. While it may be this page's own, it says nothing of others.
    pub(crate) fn hear_mark(&mut self, is_sent: bool) {
        if self.facts.mark.may_stand() {
            return;
        }
        self.facts.ignores_marks &= is_sent;
        let was_marked = self.facts.is_marked;
        self.facts.is_marked = is_sent && !self.facts.ignores_marks;
        self.facts.has_status_changed |= was_marked && !is_sent && self.has_moved();
    }

    /// Whether the record says that money was seen, or has another status than a new payment.
    fn has_moved(&self) -> bool {
        self.record.state.is_some_and(has_arrived)
            || matches!(self.record.status, Status::Other { .. })
    }

    /// Whether the proxy should have a mark: the transaction is known, the buyer says that money was sent, or a wallet is next
    /// asked to send it or may have sent it.
    pub fn needs_mark(&self) -> bool {
        self.facts.transaction.is_some() || self.facts.said_sent || self.wallet.needs_mark()
    }

    /// Whether the buyer can say that nothing was sent, where there is a mark, or a wallet may have sent it. The page then asks
    /// for the money again, so not once the status has changed.
    pub fn may_say_unsent(&self) -> bool {
        let is_doubted = match self.facts.progress() {
            PaymentProgress::Marked | PaymentProgress::SaidSent => !self.has_moved(),
            PaymentProgress::Open => self.wallet.is_unclear(),
            PaymentProgress::StatusChanged | PaymentProgress::Sent => false,
        };
        is_doubted && self.facts.access != Access::ReadOnly && !self.wallet.is_asked()
    }

    /// Whether only the proxy's mark keeps the buyer from cancelling.
    pub fn is_held_by_mark(&self) -> bool {
        self.facts.progress() == PaymentProgress::Open
            && !self.wallet.is_asked()
            && (matches!(self.facts.mark, SentMark::Set(_)) || self.facts.ignores_marks)
    }

    /// Whether the buyer may start again once this payment has ended. A buyer who may have sent money must not be asked to
    /// pay again.
    pub fn may_start_again(&self) -> bool {
        match self.facts.progress() {
            PaymentProgress::Open | PaymentProgress::StatusChanged => {
                self.facts.access != Access::ReadOnly && !self.facts.ignores_marks
            }
            PaymentProgress::Marked | PaymentProgress::SaidSent | PaymentProgress::Sent => false,
        }
    }

    /// Whether the transaction was not seen on the network for long.
    pub fn is_confirmation_slow(&self) -> bool {
        matches!(&self.wallet.state, WalletPayment::Sent(watch) if watch.reads >= SLOW_READS)
    }
}
