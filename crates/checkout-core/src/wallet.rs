//! Paying from a wallet in the browser.

/// A wallet in the browser, numbered by the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WalletId(pub usize);

/// The number of a request to a wallet: 1 for the first request of a payment. With it a late
/// answer is matched to its own request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalletRequest(pub u32);

/// The latest request to a wallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalletPayment {
    /// There is none, or the buyer declined it.
    Idle,
    /// The wallet shows the request to the buyer. Until it answers, no other wallet is asked and
    /// the payment is not cancelled, unless the buyer stops waiting.
    Asked(WalletId),
    /// The wallet did not answer, and the buyer stopped waiting. The wallet may still send: warn
    /// the buyer to check it before they pay another way or cancel.
    Abandoned,
    /// The request failed.
    Failed(WalletFailure),
}

/// Why a wallet returned no transaction hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalletFailure {
    /// The buyer declined (EIP-1193, error 4001).
    Declined,
    /// Another request is open in the wallet.
    Busy,
    /// The wallet gave no account: it is locked or empty.
    NoAccount,
    /// The wallet is on another network and did not switch. Nothing was sent.
    WrongNetwork,
    /// The wallet was asked to send and did not report the transaction: it may have sent it.
    Unclear,
}
