//! What is known about the network behind each token code.
//!
//! Token records carry no chain id, and null `decimals` for native coins, so the facts about the
//! networks themselves stand here, keyed by the token code. A code without an entry works all the
//! same, with less: no hash can be checked, so none is asked for.

use tender_protocol::TokenCode;

/// The facts about one token code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssetInfo {
    /// Fractional digits of the token's smallest unit, where the token is a network's native coin
    /// (satoshi, sun, wei) or a contract whose unit never changes (USDT).
    pub decimals: u8,
    /// The network that the token lives on.
    pub network: Network,
    /// The token's contract; `None` for the network's native coin.
    pub contract: Option<&'static str>,
}

/// A network on which payments are made: its main one, as test networks carry no money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// Bitcoin.
    Bitcoin,
    /// TRON.
    Tron,
    /// Ethereum or one of its kin, by its chain id (EIP-155).
    Evm(u64),
}

/// Ethereum's chain id.
const ETHEREUM: u64 = 1;

/// BNB Smart Chain's chain id.
const BNB_SMART_CHAIN: u64 = 56;

/// USDT on Ethereum, as its issuer publishes it.
const USDT_ERC20: &str = "0xdAC17F958D2ee523a2206206994597C13D831ec7";

/// USDT on TRON, as its issuer publishes it.
const USDT_TRC20: &str = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

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

impl AssetInfo {
    /// The facts about `code`; `None` for a token whose network is not known here.
    #[must_use]
    pub fn of(code: &TokenCode) -> Option<Self> {
        let (decimals, network, contract) = match code.as_str() {
            "btc" => (8, Network::Bitcoin, None),
            "trx" => (6, Network::Tron, None),
            "usdtt" => (6, Network::Tron, Some(USDT_TRC20)),
            "usdte" => (6, Network::Evm(ETHEREUM), Some(USDT_ERC20)),
            "bnb" => (18, Network::Evm(BNB_SMART_CHAIN), None),
            _ => return None,
        };
        Some(Self {
            decimals,
            network,
            contract,
        })
    }

    /// How the network writes transaction hashes.
    #[must_use]
    pub fn hash_format(self) -> HashFormat {
        match self.network {
            Network::Bitcoin | Network::Tron => HashFormat::Hex,
            Network::Evm(_) => HashFormat::PrefixedHex,
        }
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
