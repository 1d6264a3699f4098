//! Paying from a wallet in the buyer's browser, as far as the page is concerned.

/// A wallet that was found in the browser; the number is the finder's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WalletId(pub usize);

/// Where paying from a wallet stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalletPayment {
    /// No wallet is asked.
    Idle,
    /// This one is: the buyer decides in it. Nothing else is sent meanwhile, nor cancelled.
    Asked(WalletId),
    /// It did not work.
    Failed(WalletFailure),
}

/// Why a wallet gave no transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalletFailure {
    /// The buyer said no, which is no failure (EIP-1193, error 4001).
    Declined,
    /// An earlier request waits in the wallet for the buyer.
    Busy,
    /// It gave no account: it is locked, or empty.
    NoAccount,
    /// It is on another network, and stays there. Nothing was sent.
    WrongNetwork,
    /// It was asked to send, and did not say that it did.
    Unclear,
}
