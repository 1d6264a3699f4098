//! The latest request to pay from a wallet.

use super::{Preparation, WalletFailure, WalletId, Watch};
use crate::asset::TransactionHash;

/// The number of a request to pay from a wallet: 1 for the first request of a payment. It matches a late
/// result to its request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalletRequest(pub u32);

/// The latest request to pay from a wallet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WalletAttempt {
    /// Its number.
    pub request: WalletRequest,
    /// What became of it.
    pub state: WalletPayment,
}

/// What became of a request to pay from a wallet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WalletPayment {
    /// No wallet is asked: there was no request, it ended and nothing was sent, or the outcome of its transaction is final.
    #[default]
    Idle,
    /// The buyer has chosen a wallet, which was not asked to send anything yet.
    Preparing(Preparation),
    /// The wallet shows the transaction to the buyer. Until it responds, or the buyer stops waiting, no
    /// other wallet is asked and the payment can't be cancelled.
    Asked(WalletId),
    /// The wallet did not respond, and the buyer stopped waiting. It may still send the payment, so no wallet is asked until the
    /// buyer says that nothing was sent.
    Abandoned(WalletId),
    /// The wallet has sent the payment's transaction, whose receipt is read until something final is known.
    Sent(Watch),
    /// The wallet has signed the transaction when it was no longer wanted (TRON). This page does not broadcast it, but the wallet
    /// may, until it expires. Its receipt is read until then, also after a reload.
    Signed(TransactionHash, Watch),
    /// The request failed.
    Failed(WalletFailure),
}

impl WalletAttempt {
    /// Whether a wallet is or is about to be asked to pay, and the page waits for it.
    pub const fn is_asked(&self) -> bool {
        matches!(
            self.state,
            WalletPayment::Preparing(_) | WalletPayment::Asked(_)
        )
    }

    /// Whether a wallet may have sent the money without reporting it.
    pub const fn is_unclear(&self) -> bool {
        matches!(
            self.state,
            WalletPayment::Asked(_)
                | WalletPayment::Abandoned(_)
                | WalletPayment::Signed(..)
                | WalletPayment::Failed(WalletFailure::Unclear)
        )
    }

    /// Whether the proxy should have a mark, because a wallet is next asked to send the money or may have sent it.
    pub(crate) fn needs_mark(&self) -> bool {
        let is_next = matches!(&self.state, WalletPayment::Preparing(preparation)
            if preparation.step.needs_mark());
        is_next || self.is_unclear()
    }

    /// Reads the receipt of the payment's transaction no more.
    pub(crate) fn end_watch(&mut self) {
        if matches!(self.state, WalletPayment::Sent(_)) {
            self.state = WalletPayment::Idle;
        }
    }
}
