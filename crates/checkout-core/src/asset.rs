//! Facts about the network of each token code.
//!
//! Token records contain no chain id, and their `decimals` are null for native coins. So these facts are defined by token
//! code, in [`ACCEPTED`](tender_protocol::ACCEPTED).

use serde::{Deserialize, Serialize};
pub use tender_protocol::asset_info::{AssetInfo, Network};

/// A transaction hash in the format of its network, in lower case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransactionHash(String);

impl TransactionHash {
    /// Parses a hash that the buyer pasted: 64 hexadecimal digits, on EVM chains after `0x`. Surrounding white space is
    /// ignored. All zeros is no hash.
    pub fn parse(text: &str, network: Network) -> Option<Self> {
        let text = text.trim();
        let digits = text.strip_prefix(network.hash_prefix())?;
        let valid = digits.len() == 64
            && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
            && digits.bytes().any(|byte| byte != b'0');
        valid.then(|| Self(text.to_ascii_lowercase()))
    }

    /// The hash in the network's format.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
