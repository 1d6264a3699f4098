//! Facts about the network of each token code.
//!
//! Token records contain no chain id, and their `decimals` are null for native coins. So these facts are defined here,
//! by token code. A token without an entry is supported too, but its transaction hashes can't be validated, so the
//! buyer is not asked for one.

use tender_protocol::TokenCode;

/// The facts about a token code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssetInfo {
    /// Decimals of the token, for native coins (satoshi, sun, wei) and for contracts whose decimals never change
    /// (USDT).
    pub decimals: u8,
    /// The token's network.
    pub network: Network,
    /// The token's contract; `None` for a native coin.
    pub contract: Option<&'static str>,
}

/// A main network. Test networks are not supported, because their coins have no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// Bitcoin.
    Bitcoin,
    /// TRON.
    Tron,
    /// An EVM chain, by its chain id (EIP-155).
    Evm(u64),
}

/// Ethereum's chain id.
const ETHEREUM: u64 = 1;

/// BNB Smart Chain's chain id.
const BNB_SMART_CHAIN: u64 = 56;

/// The contract of USDT on Ethereum, as published by its issuer.
const USDT_ERC20: &str = "0xdAC17F958D2ee523a2206206994597C13D831ec7";

/// The contract of USDT on TRON, as published by its issuer.
const USDT_TRC20: &str = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

/// Whether an address is one of these contracts, which keep what is sent to them.
pub(crate) fn is_contract(address: &str) -> bool {
    let contracts = [USDT_ERC20, USDT_TRC20];
    contracts
        .iter()
        .any(|contract| contract.eq_ignore_ascii_case(address))
}

/// A transaction hash in the format of its network, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransactionHash(String);

impl Network {
    /// The symbol of the coin that pays for fees; `None` for a chain that is not in the table.
    pub fn coin(self) -> Option<&'static str> {
        match self {
            Self::Bitcoin => Some("BTC"),
            Self::Tron => Some("TRX"),
            Self::Evm(ETHEREUM) => Some("ETH"),
            Self::Evm(BNB_SMART_CHAIN) => Some("BNB"),
            Self::Evm(_) => None,
        }
    }
}

impl AssetInfo {
    /// The facts about `code`; `None` if its network is not known.
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
}

impl TransactionHash {
    /// Parses a hash that the buyer pasted: 64 hexadecimal digits, on EVM chains after `0x`. Surrounding white space is
    /// ignored. All zeros is no hash.
    pub fn parse(text: &str, network: Network) -> Option<Self> {
        let text = text.trim();
        let digits = match network {
            Network::Bitcoin | Network::Tron => text,
            Network::Evm(_) => text.strip_prefix("0x")?,
        };
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
