//! What is sent to create and to cancel a payment (the service's document, "Create a payment
//! request" and "Cancel a payment").

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::amount::Amount;
use crate::code::TokenCode;
use crate::record::{Record, RecordError, serialize_as_record};

/// The documented body of the create endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
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
    #[serde(default)]
    pub purchase_email: Option<String>,
    /// Identifies the buyer by name.
    #[serde(default)]
    pub purchase_name: Option<String>,
    /// `"0"` lets the payer choose the amount.
    #[serde(default, deserialize_with = "text_or_number")]
    pub item_number: Option<String>,
}

/// What a page sends to the proxy in place of [`CreatePayment`] when the shop signed the order:
/// the price is in the order, out of the page's reach.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OrderPayment {
    /// The signed order, a JWT.
    pub order: String,
    /// Currency in which the buyer is charged.
    pub payment_token: TokenCode,
    /// Only for an order whose `itemNumber` is `"0"`, where the payer chooses the amount; for every
    /// other order the proxy refuses an amount that is not the order's.
    #[serde(default)]
    pub quantity: Option<Amount>,
    /// Buyer e-mail, where the order does not name one.
    #[serde(default)]
    pub purchase_email: Option<String>,
    /// Buyer name, where the order does not name one.
    #[serde(default)]
    pub purchase_name: Option<String>,
}

/// The claims of a signed order; `exp` and the like are the JWT library's business.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OrderClaims {
    /// Currency of the price.
    pub token: TokenCode,
    /// The price, written as a decimal string: a JWT library need not keep the digits of a number.
    /// May be absent only where `item_number` is `"0"`.
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
        deserialize_with = "text_or_number"
    )]
    pub item_number: Option<String>,
    /// Buyer e-mail, where the shop knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purchase_email: Option<String>,
    /// Buyer name, where the shop knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purchase_name: Option<String>,
}

/// Required: `token` and `invoiceNumber`.
impl TryFrom<&Record> for OrderClaims {
    type Error = RecordError;

    fn try_from(record: &Record) -> Result<Self, RecordError> {
        let fields = record.reader("order");
        Ok(Self {
            token: TokenCode::from(fields.required_text("token")?),
            quantity: fields.parsed("quantity")?,
            invoice_number: fields.required_text("invoiceNumber")?,
            item_number: fields.text("itemNumber")?,
            purchase_email: fields.text("purchaseEmail")?,
            purchase_name: fields.text("purchaseName")?,
        })
    }
}

/// Required: `token`, `quantity`, `paymentToken` and `invoiceNumber`.
impl TryFrom<&Record> for CreatePayment {
    type Error = RecordError;

    fn try_from(record: &Record) -> Result<Self, RecordError> {
        let fields = record.reader("request");
        Ok(Self {
            token: TokenCode::from(fields.required_text("token")?),
            quantity: fields.required_amount("quantity")?,
            payment_token: TokenCode::from(fields.required_text("paymentToken")?),
            invoice_number: fields.required_text("invoiceNumber")?,
            purchase_email: fields.text("purchaseEmail")?,
            purchase_name: fields.text("purchaseName")?,
            item_number: fields.text("itemNumber")?,
        })
    }
}

impl From<&CreatePayment> for Record {
    fn from(payment: &CreatePayment) -> Self {
        Self::default()
            .with("token", payment.token.as_str())
            .with_amount("quantity", &payment.quantity)
            .with("paymentToken", payment.payment_token.as_str())
            .with("invoiceNumber", payment.invoice_number.as_str())
            .with("purchaseEmail", payment.purchase_email.as_deref())
            .with("purchaseName", payment.purchase_name.as_deref())
            .with("itemNumber", payment.item_number.as_deref())
    }
}

impl From<&OrderPayment> for Record {
    fn from(payment: &OrderPayment) -> Self {
        Self::default()
            .with("order", payment.order.as_str())
            .with("paymentToken", payment.payment_token.as_str())
            .with_amount("quantity", payment.quantity.as_ref())
            .with("purchaseEmail", payment.purchase_email.as_deref())
            .with("purchaseName", payment.purchase_name.as_deref())
    }
}

impl From<&CancelPayment> for Record {
    fn from(payment: &CancelPayment) -> Self {
        Self::default().with("transactionId", payment.transaction_id.as_str())
    }
}

serialize_as_record!(CreatePayment, OrderPayment, CancelPayment);

/// The `itemNumber` with which the payer chooses the amount.
pub const PAYER_CHOOSES: &str = "0";

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

/// `itemNumber` is a text that holds a number: one who writes the number itself is understood.
fn text_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let Some(raw) = Option::<Box<RawValue>>::deserialize(deserializer)? else {
        return Ok(None);
    };
    match raw.get() {
        number if number.starts_with(|first: char| first.is_ascii_digit()) => {
            Ok(Some(number.to_owned()))
        }
        other => serde_json::from_str(other).map_err(D::Error::custom),
    }
}

/// The documented body of the cancel endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CancelPayment {
    /// The payment to cancel.
    pub transaction_id: String,
}
