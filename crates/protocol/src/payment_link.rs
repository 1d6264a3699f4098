//! Payment links: orders that the proxy signs for the merchant, for shops without a backend.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::amount::Amount;
use crate::code::TokenCode;
use crate::record::{Record, RecordError};

/// An order to sign. A claim that a link can't have is an error rather than
/// left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewOrder {
    /// Currency of the price.
    pub token: TokenCode,
    /// The price.
    pub quantity: Amount,
    /// The merchant's invoice identifier.
    pub invoice_number: String,
    /// How long the order is valid, such as `7d`, `12h` or `30m`.
    pub expires: String,
}

/// The response: an order, and where it is paid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PaymentLink {
    /// The order, a JWT.
    pub order: String,
    /// The address of its payment page.
    pub url: String,
}

impl PaymentLink {
    /// Reads the response.
    ///
    /// # Errors
    /// [`RecordError`], which names the field that is missing or invalid.
    pub fn parse(json: &str) -> Result<Self, RecordError> {
        Record::parse(json, "a payment link")?.read("payment link")
    }
}

/// What the operator allows in payment links.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LinkLimits {
    /// The highest price in each token; links can't be in another token.
    pub max_quantity: BTreeMap<TokenCode, Amount>,
    /// The longest time for which a link is valid, in days.
    pub max_days: u16,
}
