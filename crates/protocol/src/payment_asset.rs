//! Chain-agnostic identifiers of what a payment is made in.

use serde::Serialize;

use crate::code::TokenCode;

/// The CAIP-19 identifier of each token code whose network the service's document names ("Create a payment request"). It
/// begins with the network's CAIP-2 identifier. It names neither the network of BNB nor that of KXP.
///
/// Networks: `bip122` and `eip155` as in CAIP-4 and CAIP-3, `tron` as in the CASA namespace of that name (the chain id of
/// TIP-474). Coins have their number of SLIP-44, and the contracts of USDT are those that its issuer publishes.
const ASSETS: [(&str, &str); 4] = [
    ("btc", "bip122:000000000019d6689c085ae165831e93/slip44:0"),
    ("trx", "tron:0x2b6653dc/slip44:195"),
    (
        "usdtt",
        "tron:0x2b6653dc/trc20:TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
    ),
    (
        "usdte",
        "eip155:1/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7",
    ),
];

/// The network and the token of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PaymentAsset {
    /// The network, by CAIP-2: `tron:0x2b6653dc`.
    pub chain_id: &'static str,
    /// The token on it, by CAIP-19: `tron:0x2b6653dc/slip44:195`.
    pub asset_id: &'static str,
}

impl PaymentAsset {
    /// The name of the field beside a payment's `paymentToken`.
    pub const FIELD: &str = "paymentAsset";

    /// The asset of a record's `paymentToken`, in any case. A ticker that several codes share, such as `USDT`, names no
    /// network, so it has none.
    pub fn named(payment_token: &str) -> Option<Self> {
        let code = TokenCode::from(payment_token);
        let (_, asset_id) = ASSETS.iter().find(|(name, _)| *name == code.as_str())?;
        let (chain_id, _) = asset_id.split_once('/')?;
        Some(Self { chain_id, asset_id })
    }
}
