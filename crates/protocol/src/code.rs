//! Token codes.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::asset_info::{AssetInfo, Network};
use crate::token_name::TokenName;

/// A token that the create endpoint accepts.
#[derive(Clone, Debug)]
pub struct AcceptedToken {
    /// The code.
    pub code: TokenCode,
    /// Its names for people.
    pub name: TokenName,
    /// The facts about its network; `None` if that is not known. The buyer is then not asked for a transaction hash, which
    /// can't be validated.
    pub asset: Option<AssetInfo>,
    /// Its CAIP-19 identifier, if the service's document names its network: see [`PaymentAsset`](crate::PaymentAsset).
    pub asset_id: Option<&'static str>,
}

/// The tokens that the create endpoint accepts for `token` and `paymentToken` (the service's document, "Create a payment
/// request"), with what records don't say of them.
///
/// This is the only list of them: when the service adds a code, add a row here.
pub const ACCEPTED: &[AcceptedToken] = &[
    accepted(
        "trx",
        name("TRX", Some("TRON"), None),
        Some(asset(6, Network::Tron, None)),
        Some("tron:0x2b6653dc/slip44:195"),
    ),
    accepted(
        "usdtt",
        name("USDT", Some("TRON"), Some("TRC20")),
        Some(asset(6, Network::Tron, Some(USDT_TRC20))),
        Some("tron:0x2b6653dc/trc20:TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"),
    ),
    accepted(
        "usdte",
        name("USDT", Some("Ethereum"), Some("ERC20")),
        Some(asset(6, Network::Evm(1), Some(USDT_ERC20))),
        Some("eip155:1/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7"),
    ),
    accepted(
        "bnb",
        name("BNB", Some("BNB Smart Chain"), Some("BEP20")),
        Some(asset(18, Network::Evm(56), None)),
        None,
    ),
    accepted("kxp", name("KXP", None, None), None, None),
    accepted(
        "btc",
        name("BTC", Some("Bitcoin"), None),
        Some(asset(8, Network::Bitcoin, None)),
        Some("bip122:000000000019d6689c085ae165831e93/slip44:0"),
    ),
];

/// The contract of USDT on Ethereum, as published by its issuer.
const USDT_ERC20: &str = "0xdAC17F958D2ee523a2206206994597C13D831ec7";

/// The contract of USDT on TRON, as published by its issuer.
const USDT_TRC20: &str = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

const fn accepted(
    code: &'static str,
    name: TokenName,
    asset: Option<AssetInfo>,
    asset_id: Option<&'static str>,
) -> AcceptedToken {
    AcceptedToken {
        code: TokenCode(Cow::Borrowed(code)),
        name,
        asset,
        asset_id,
    }
}

const fn name(
    symbol: &'static str,
    network: Option<&'static str>,
    standard: Option<&'static str>,
) -> TokenName {
    TokenName {
        symbol,
        network,
        standard,
    }
}

const fn asset(decimals: u8, network: Network, contract: Option<&'static str>) -> AssetInfo {
    AssetInfo {
        decimals,
        network,
        contract,
    }
}

/// The accepted codes, for a message.
pub fn accepted_codes() -> String {
    let codes: Vec<_> = ACCEPTED.iter().map(|token| token.code.as_str()).collect();
    codes.join(", ")
}

/// A token code such as `usdtt`, in lower case as in requests.
///
/// Responses have codes in upper case, which are converted when they are read.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, examples("usdtt")))]
pub struct TokenCode(Cow<'static, str>);

impl TokenCode {
    /// The code in lower case.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the service may mean this code by `name`: it returns codes in upper case, or a ticker such as `USDT`,
    /// which several codes may share. The code of another token, and a ticker that only fits others, name another token.
    pub fn may_be_named(&self, name: &str) -> bool {
        let name = Self::from(name);
        let fits = |code: &Self| code.as_str().starts_with(name.as_str());
        if name.is_accepted() {
            return name == *self;
        }
        fits(self) || !ACCEPTED.iter().any(|token| fits(&token.code))
    }

    /// Whether the create endpoint accepts this code.
    pub fn is_accepted(&self) -> bool {
        ACCEPTED.iter().any(|token| token.code == *self)
    }
}

impl From<&str> for TokenCode {
    fn from(code: &str) -> Self {
        Self(Cow::Owned(code.trim().to_ascii_lowercase()))
    }
}

impl From<String> for TokenCode {
    fn from(code: String) -> Self {
        code.as_str().into()
    }
}

impl fmt::Display for TokenCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
