//! Paying from a wallet in the browser.

/// A wallet in the browser, numbered by the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WalletId(pub usize);

/// The number of a request to a wallet: 1 for the first request of a payment. It matches a late
/// result to its request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalletRequest(pub u32);

/// The latest request to a wallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalletPayment {
    /// There is none, or the buyer declined it.
    Idle,
    /// The wallet shows the request to the buyer. Until it responds, or the buyer stops waiting, no
    /// other wallet is asked and the payment can't be cancelled.
    Asked(WalletId),
    /// The wallet did not respond, and the buyer stopped waiting. The wallet may still send the
    /// payment, so the page asks the buyer to check it before they pay another way or cancel.
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
    /// The wallet returned no account: it is locked or empty.
    NoAccount,
    /// The wallet is on another network and did not switch. Nothing was sent.
    WrongNetwork,
    /// The wallet was asked to send the transaction and returned no hash: it may have sent it.
    Unclear,
}
