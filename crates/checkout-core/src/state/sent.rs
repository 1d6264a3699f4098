//! What is known about money that the buyer may have sent: the hash, and the proxy's mark.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::wallet::Watch;

/// How a transaction hash became known, which decides what may still change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashSource {
    /// The buyer typed it, and the status has not changed since: it can be changed and removed.
    Typed,
    /// A wallet returned it to this page, which reads its receipt until something final is known.
    Returned(Watch),
    /// It stays, and no receipt is read any more: a wallet returned it before a reload or too late, the status has changed, or
    /// the receipt is known.
    Final,
}

/// What removes a mark: 128 random bits in hexadecimal digits, created by the driver. The proxy gets only its digest, until the mark
/// is removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkSecret(pub String);

impl MarkSecret {
    /// The name of the mark: the SHA-256 of the secret, in hexadecimal digits.
    pub fn digest(&self) -> String {
        let digest = Sha256::digest(self.0.as_bytes());
        digest.iter().fold(String::new(), |mut text, byte| {
            // Writing to a text does not fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}

/// This page's mark that money may have been sent for the payment. While the proxy has one, neither a buyer nor the proxy cancels or
/// replaces the payment. The page sets one before it asks a wallet and when a hash is entered, and removes it once no
/// wallet is asked and there is no hash. The secret is saved before the mark is requested, so that a lost response or a reload loses nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SentMark {
    /// This page has set none.
    #[default]
    None,
    /// The request to set it is under way.
    Setting(MarkSecret),
    /// It may stand: the response was lost, or the page was reloaded. The next poll, or the next wallet, requests it again.
    Unconfirmed(MarkSecret),
    /// It stands.
    Set(MarkSecret),
    /// The request to remove it is under way.
    Removing(MarkSecret),
    /// It may stand: the request to remove it failed. The next poll, or the next wallet, repeats that.
    NotRemoved(MarkSecret),
    /// This page can remove none: the proxy has no such route, or the payment has its maximum of marks.
    Unavailable,
}

impl SentMark {
    /// Whether the proxy may have a mark of this page, and so refuses to cancel.
    pub fn may_stand(&self) -> bool {
        self.secret().is_some()
    }

    /// The secret of a mark that is not known to be removed.
    pub fn secret(&self) -> Option<&MarkSecret> {
        match self {
            Self::Setting(secret)
            | Self::Unconfirmed(secret)
            | Self::Set(secret)
            | Self::Removing(secret)
            | Self::NotRemoved(secret) => Some(secret),
            Self::None | Self::Unavailable => None,
        }
    }
}
