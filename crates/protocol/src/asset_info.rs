//! Facts about the network of a token.

use crate::code::{ACCEPTED, TokenCode};

/// The facts about a token whose network is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssetInfo {
    /// Decimals of the token, for native coins (satoshi, sun, wei) and for contracts whose decimals never change
    /// (USDT).
    pub decimals: u8,
    /// The token's network.
    pub network: Network,
    /// The token's contract, as published by its issuer; `None` for a native coin.
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

impl AssetInfo {
    /// The facts about `code`; `None` if its network is not known.
    pub fn of(code: &TokenCode) -> Option<Self> {
        ACCEPTED.iter().find(|token| token.code == *code)?.asset
    }

    /// Whether an address is the contract of a token, which keeps what is sent to it.
    pub fn is_contract(address: &str) -> bool {
        let contracts = ACCEPTED.iter().filter_map(|token| token.asset?.contract);
        contracts
            .into_iter()
            .any(|contract| contract.eq_ignore_ascii_case(address))
    }
}

impl Network {
    /// The symbol of the coin that pays for fees; `None` for a chain that is not in the table.
    pub fn coin(self) -> Option<&'static str> {
        if self == Self::Evm(1) {
            // It is not accepted.
            return Some("ETH");
        }
        let is_coin = |asset: AssetInfo| asset.network == self && asset.contract.is_none();
        let mut tokens = ACCEPTED.iter();
        let coin = tokens.find(|token| token.asset.is_some_and(is_coin))?;
        Some(coin.name.symbol)
    }

    /// What a transaction hash begins with, before its 64 hexadecimal digits.
    pub const fn hash_prefix(self) -> &'static str {
        match self {
            Self::Bitcoin | Self::Tron => "",
            Self::Evm(_) => "0x",
        }
    }
}
