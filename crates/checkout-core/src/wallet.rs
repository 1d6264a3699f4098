//! Paying from a wallet in the browser.

mod attempt;
mod errors;
mod funds;
mod preparation;
mod receipt;

use tender_protocol::Amount;

pub use self::attempt::{WalletAttempt, WalletPayment, WalletRequest};
pub use self::errors::{EVM, ErrorLevel, Rows, TRON, meaning};
pub use self::funds::{EvmFunds, TronFunds};
pub use self::preparation::{Preparation, WalletAnswer, WalletQuestion, WalletStep};
pub use self::receipt::{Receipt, Watch};

/// A wallet in the browser, numbered by the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WalletId(pub usize);

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
