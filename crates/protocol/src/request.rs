//! The bodies of requests that create and cancel a payment (the service's document, "Create a payment
//! request" and "Cancel a payment").

use serde::{Deserialize, Serialize, Serializer};

use crate::amount::Amount;
use crate::code::TokenCode;
use crate::record::optional_text;

/// The documented body of the create endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CreatePayment {
    /// Currency in which `quantity` is expressed.
    pub token: TokenCode,
    /// Amount to charge, in `token`.
    pub quantity: Amount,
    /// Currency in which the buyer is charged.
    pub payment_token: TokenCode,
    /// The merchant's invoice identifier.
    pub invoice_number: String,
    /// Identifies the buyer by e-mail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purchase_email: Option<String>,
    /// Identifies the buyer by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purchase_name: Option<String>,
    /// `"0"` lets the payer choose the amount.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "optional_text"
    )]
    pub item_number: Option<String>,
}

/// What a page sends to the proxy instead of the service's fields if the shop signed the order. The price
/// is in the order, so that the page can't change it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = PayOrder))]
pub struct OrderPayment {
    /// The signed order, a JWT.
    pub order: String,
    /// Currency in which the buyer is charged.
    pub payment_token: TokenCode,
    /// The amount that the payer chose, if the order's `itemNumber` is `"0"`. For every other order the
    /// proxy refuses an amount that is not the order's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quantity: Option<Amount>,
    /// Buyer e-mail, if the order does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purchase_email: Option<String>,
    /// Buyer name, if the order does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purchase_name: Option<String>,
    /// The transactionId of the order's open payment in another token, which this one replaces. Its receipt is the request's
    /// bearer token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<String>,
}

/// The claims of a signed order. The JWT library checks `exp` and other registered claims.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OrderClaims {
    /// Currency of the price.
    pub token: TokenCode,
    /// The price. It is written as a decimal string, because a JWT library may not keep the digits of a
    /// number. It may be absent only if `itemNumber` is `"0"`.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "decimal_string"
    )]
    pub quantity: Option<Amount>,
    /// The merchant's invoice identifier.
    pub invoice_number: String,
    /// `"0"` lets the payer choose the amount.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "optional_text"
    )]
    pub item_number: Option<String>,
    /// Buyer e-mail, if the shop knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purchase_email: Option<String>,
    /// Buyer name, if the shop knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purchase_name: Option<String>,
}

/// The claims of a signed order that the shop's backend gets as field `order` of a payment, in the shop's own words:
/// `48.50` stays `48.50`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SignedOrder {
    /// Currency of the price.
    pub token: String,
    /// The price; if the payer chooses the amount, what the shop suggested.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "optional_text"
    )]
    pub quantity: Option<String>,
    /// The merchant's invoice identifier.
    pub invoice_number: String,
    /// `"0"` lets the payer choose the amount.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "optional_text"
    )]
    pub item_number: Option<String>,
}

impl SignedOrder {
    /// The name of the field.
    pub const FIELD: &str = "order";
}

/// The `itemNumber` that lets the payer choose the amount.
pub const PAYER_CHOOSES: &str = "0";

/// Whether the payer of an order with this `itemNumber` chooses the amount (the service's document, "Create a payment
/// request", rule 3).
pub fn payer_chooses(item_number: Option<&str>) -> bool {
    item_number == Some(PAYER_CHOOSES)
}

#[expect(clippy::ref_option, reason = "the signature is serde's")]
fn decimal_string<S: Serializer>(
    amount: &Option<Amount>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    amount
        .as_ref()
        .map(ToString::to_string)
        .serialize(serializer)
}

/// The documented body of the cancel endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CancelPayment {
    /// The payment to cancel.
    pub transaction_id: String,
}
