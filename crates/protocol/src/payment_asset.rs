//! Chain-agnostic identifiers of what a payment is made in.
//!
//! Networks: `bip122` and `eip155` as in CAIP-4 and CAIP-3, `tron` as in the CASA namespace of that name (the chain id of
//! TIP-474). Coins have their number of SLIP-44, and the contracts of USDT are those that its issuer publishes. The service's
//! document ("Create a payment request") names neither the network of BNB nor that of KXP, so these have none.

use serde::Serialize;

use crate::code::{ACCEPTED, TokenCode};

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
        let token = ACCEPTED.iter().find(|token| token.code == code)?;
        let asset_id = token.asset_id?;
        let (chain_id, _) = asset_id.split_once('/')?;
        Some(Self { chain_id, asset_id })
    }
}
