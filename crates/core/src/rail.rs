//! What is known about the network behind each token code.
//!
//! Token records carry no chain id, and null `decimals` for native coins, so the facts about the
//! networks themselves stand here, keyed by the token code. A code without an entry works all the
//! same, with less: no hash can be checked, so none is asked for.

use tender_protocol::TokenCode;

/// The facts about one token code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rail {
    /// Fractional digits of the token's smallest unit, where the token is a network's native coin
    /// (satoshi, sun, wei) or a contract whose unit never changes (USDT).
    pub decimals: u8,
    /// How the network writes transaction hashes.
    pub hash: HashFormat,
}

/// How a network writes transaction hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashFormat {
    /// 64 hexadecimal digits: Bitcoin, TRON.
    Hex,
    /// `0x` and 64 hexadecimal digits: Ethereum and its kin.
    PrefixedHex,
}

/// A transaction hash that has the form of its network, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransactionHash(String);

impl Rail {
    /// The facts about `code`; `None` for a token whose network is not known here.
    #[must_use]
    pub fn of(code: &TokenCode) -> Option<Self> {
        let (decimals, hash) = match code.as_str() {
            "btc" => (8, HashFormat::Hex),
            "trx" | "usdtt" => (6, HashFormat::Hex),
            "usdte" => (6, HashFormat::PrefixedHex),
            "bnb" => (18, HashFormat::PrefixedHex),
            _ => return None,
        };
        Some(Self { decimals, hash })
    }
}

impl TransactionHash {
    /// Reads a hash as a buyer pastes it: white space around it is dropped.
    #[must_use]
    pub fn parse(text: &str, format: HashFormat) -> Option<Self> {
        let text = text.trim();
        let digits = match format {
            HashFormat::Hex => text,
            HashFormat::PrefixedHex => text.strip_prefix("0x")?,
        };
        let valid = digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        valid.then(|| Self(text.to_ascii_lowercase()))
    }

    /// The hash as the network writes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
