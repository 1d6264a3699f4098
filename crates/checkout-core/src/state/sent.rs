//! What is known about money that the buyer may have sent: the hash, and the proxy's mark.

use crate::wallet::WalletId;

/// How a transaction hash became known, which decides what may still change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashSource {
    /// The buyer typed it, and the status has not changed since: it can be changed and removed.
    Typed,
    /// A wallet returned it to this page, which reads its receipt until something final is known.
    Returned {
        /// The wallet.
        wallet: WalletId,
        /// How often the receipt was read.
        reads: u32,
    },
    /// It stays, and nothing more is read: a wallet returned it before a reload or too late, the status has changed, or
    /// the receipt is known.
    Fixed,
}

/// The proxy's mark that money may have been sent for the payment. While it has one, neither a buyer nor the proxy cancels
/// or replaces it. The page stores one before it asks a wallet and when a hash is entered, and takes it back once
/// neither stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SentMark {
    /// This page has set none.
    #[default]
    None,
    /// The request to store it is under way.
    Storing,
    /// It is not known to be stored. The next poll, or the next wallet, requests it again.
    Failed,
    /// Stored, with the secret that removes it.
    Stored(String),
    /// The request to remove it is under way, or failed; then the next poll repeats it.
    Removing(String),
    /// The proxy stores none for this page: it has no such route, or the payment has its maximum of marks.
    Unavailable,
}

impl SentMark {
    /// Whether the proxy may have a mark of this page, and so refuses to cancel.
    pub fn may_stand(&self) -> bool {
        match self {
            Self::Storing | Self::Failed | Self::Stored(_) | Self::Removing(_) => true,
            Self::None | Self::Unavailable => false,
        }
    }

    /// The secret of a mark that is not known to be removed.
    pub fn secret(&self) -> Option<&str> {
        match self {
            Self::Stored(secret) | Self::Removing(secret) => Some(secret),
            Self::None | Self::Storing | Self::Failed | Self::Unavailable => None,
        }
    }
}
