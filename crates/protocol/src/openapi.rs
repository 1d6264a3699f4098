//! Schemas of the records of payments that the proxy returns and notifies of: the service's, with the fields that the proxy
//! adds.
//!
//! The types are never constructed: the proxy passes the service's records on as they are, see [`Record`](crate::Record).

pub mod element_event;

use strum::VariantArray as _;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::amount::Amount;
use crate::delivery::EventKind;
use crate::found::FoundFields;
use crate::order_payments::OrderPayment;
use crate::payment::Payment;
use crate::payment_asset::PaymentAsset;
use crate::request::SignedOrder;
use crate::token::Token;

/// An event of a stream. The data of `created` and `status` is the record of a payment, as JSON.
#[derive(ToSchema)]
pub struct StreamEvent {
    /// To be sent as `Last-Event-ID` when the client reconnects.
    #[schema(required = false)]
    pub id: String,
    /// `created`, `status` or `ledger`.
    #[schema(required = false)]
    pub event: String,
    /// The record.
    #[schema(required = false)]
    pub data: String,
}

/// A token as the service lists it.
#[derive(ToSchema)]
pub struct TokenRecord {
    /// Its record.
    #[serde(flatten)]
    pub token: Token,
    /// The same as `network.uuid`.
    pub network_uuid: Option<String>,
    /// An empty object.
    #[schema(value_type = Option<Object>)]
    pub meta: Option<()>,
}

/// A payment as the service returns it, with the meaning of its status. Fields of the service that are not documented are
/// passed on.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentRecord {
    /// The service's record.
    #[serde(flatten)]
    pub payment: Payment,
    /// Present if another payment of the order is paid. Then nothing is to be paid to this one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub order_paid: bool,
    /// Present if money was seen for another payment of the order, also if that is not paid yet. No page asks for money then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub order_seen: bool,
}

/// A payment, and whether money may have been sent for it.
#[derive(ToSchema)]
pub struct MarkedPayment {
    /// Its record.
    #[serde(flatten)]
    pub payment: PaymentRecord,
    /// Present while a mark says that money may have been sent: the payment is neither cancelled nor replaced by a buyer, and only
    /// the page whose mark was the first asks for the money.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sent: bool,
}

/// The latest record of a payment, as its reader sees it.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadPayment {
    /// Its record.
    #[serde(flatten)]
    pub payment: MarkedPayment,
    /// For the merchant only: the amount to pay that the service lists now, if it is another one than the buyer was told
    /// (`quantityPay`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listed_quantity_pay: Option<Amount>,
}

/// Pays an order: one that the shop signed, or the service's own fields if the proxy allows unsigned orders.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum NewPayment {
    /// A signed order.
    Signed(crate::request::OrderPayment),
    /// An unsigned order.
    Unsigned(crate::request::CreatePayment),
}

/// The payment that a create request leads to.
#[derive(ToSchema)]
pub struct CreatedPayment {
    /// Its record.
    #[serde(flatten)]
    pub payment: MarkedPayment,
    /// Allows its holder to follow and to cancel the payment.
    pub receipt: String,
    /// Present if an earlier request, maybe of another page, created the payment.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub repeated: bool,
}

/// The payment that a signed order leads to, without the buyer's e-mail address and name.
#[derive(ToSchema)]
pub struct FoundPayment {
    /// Its record.
    #[serde(flatten)]
    pub payment: MarkedPayment,
    /// What the proxy adds.
    #[serde(flatten)]
    pub found: FoundFields,
}

/// A payment of an invoice number, with what the shop signed.
#[derive(ToSchema)]
pub struct InvoicePayment {
    /// Its record.
    #[serde(flatten)]
    pub payment: PaymentRecord,
    /// What the proxy adds.
    #[serde(flatten)]
    pub added: OrderPayment,
}

/// A notification to the shop's backend: the body of a webhook.
#[derive(ToSchema)]
pub struct Notification {
    /// What has happened. Newer versions may add types: accept them, and do nothing.
    #[serde(rename = "type")]
    pub kind: EventKind,
    /// When it happened, in UTC, as RFC 3339 writes it.
    #[schema(format = DateTime)]
    pub timestamp: String,
    /// The payment.
    pub data: NotifiedPayment,
}

/// The payment of a notification.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotifiedPayment {
    /// Its record.
    #[serde(flatten)]
    pub payment: PaymentRecord,
    /// Its network and token, unless `paymentToken` names no network.
    pub payment_asset: Option<PaymentAsset>,
    /// The order that the shop has signed; absent if it was not signed. Then anyone may have set the price and the invoice
    /// number.
    pub order: Option<SignedOrder>,
}

impl PartialSchema for EventKind {
    fn schema() -> RefOr<Schema> {
        one_of(EventKind::VARIANTS.iter().map(|kind| kind.as_str()))
    }
}

impl ToSchema for EventKind {}

/// One of these words.
fn one_of(words: impl IntoIterator<Item = &'static str>) -> RefOr<Schema> {
    let words = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(words));
    words.into()
}
