//! The mark that money may have been sent.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// What removes a mark: 128 random bits in hexadecimal digits, created by the driver. The proxy gets only its digest, until the mark
/// is removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Option<MarkSecret>", into = "Option<MarkSecret>")]
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

impl From<Option<MarkSecret>> for SentMark {
    fn from(secret: Option<MarkSecret>) -> Self {
        secret.map_or(Self::None, Self::Unconfirmed)
    }
}

impl From<SentMark> for Option<MarkSecret> {
    fn from(mark: SentMark) -> Self {
        mark.secret().cloned()
    }
}
