//! Paying from a wallet in the browser.

mod errors;
mod funds;
mod preparation;
mod receipt;

use tender_protocol::Amount;

use crate::asset::TransactionHash;

pub use self::errors::{EVM, ErrorLevel, Rows, TRON, meaning};
pub use self::funds::{EvmFunds, TronFunds};
pub use self::preparation::{Preparation, WalletAnswer, WalletQuestion, WalletStep};
pub use self::receipt::{Receipt, Watch};

/// A wallet in the browser, numbered by the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WalletId(pub usize);

/// The number of a request to pay from a wallet: 1 for the first request of a payment. It matches a late
/// result to its request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalletRequest(pub u32);

/// The latest request to pay from a wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalletPayment {
    /// There is none, or it has ended and nothing was sent.
    Idle,
    /// The buyer has chosen a wallet, which was not asked to send anything yet.
    Preparing(Preparation),
    /// The wallet shows the transaction to the buyer. Until it responds, or the buyer stops waiting, no
    /// other wallet is asked and the payment can't be cancelled.
    Asked(WalletId),
    /// The wallet did not respond, and the buyer stopped waiting. It may still send the payment, so no wallet is asked until the
    /// buyer says that nothing was sent.
    Abandoned(WalletId),
    /// The wallet has signed the transaction when it was no longer wanted (TRON). This page does not broadcast it, but the wallet
    /// may, until it expires.
    Signed(TransactionHash, Watch),
    /// The request failed.
    Failed(WalletFailure),
}

/// A transaction that a wallet has returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalletTransaction {
    /// The wallet has sent the one with this hash.
    Sent(String),
    /// The wallet has signed the one with this hash, and this page broadcasts it (TRON).
    Signed {
        /// The hash.
        hash: String,
        /// When it expires, in milliseconds since 1970: no later block includes it.
        expiration: Option<u64>,
    },
}

/// What an account lacks for a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortfall {
    /// It has less than the amount.
    Amount,
    /// It has too little of the network's coin for the fee: an estimate in millionths of the coin.
    Fee(u64),
}

impl Shortfall {
    /// The fee in whole coins, without trailing zeros.
    pub fn fee(self) -> Option<Amount> {
        let Self::Fee(millionths) = self else {
            return None;
        };
        let coins = format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000);
        let coins = coins.trim_end_matches('0').trim_end_matches('.');
        coins.parse().ok()
    }
}

/// Why a wallet returned no transaction hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalletFailure {
    /// The buyer declined.
    Declined,
    /// The wallet was not asked to send the transaction, because the account lacks something. The buyer may go on.
    Short(Shortfall),
    /// The wallet's error proves that nothing was sent: see [`meaning`].
    NotSent,
    /// The transaction failed on the network, so nothing was paid.
    TransactionFailed,
    /// The wallet was not asked, because the proxy has not stored the mark that money may have been sent.
    NotAsked,
    /// Another request is open in the wallet.
    Busy,
    /// The wallet returned no account: it is locked or empty.
    NoAccount,
    /// The wallet is on another network and did not switch. Nothing was sent.
    WrongNetwork,
    /// The wallet was asked to send the transaction and returned no hash: it may have sent it.
    Unclear,
}
