//! Schemas of the records of payments that the proxy returns: the service's, with the fields that the proxy adds.
//!
//! The types are never constructed: the proxy passes the service's records on as they are, see [`Record`](crate::Record).

use utoipa::ToSchema;

use crate::found::FoundFields;
use crate::order_payments::OrderPayment;
use crate::payment::Payment;
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
    pub payment: PaymentRecord,
    /// Allows its holder to follow and to cancel the payment.
    pub receipt: String,
    /// Present if an earlier request, maybe of another page, created the payment.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub repeated: bool,
    /// Present if a buyer says that money may have been sent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sent: bool,
}

/// The payment that a signed order leads to, without the buyer's e-mail address and name.
#[derive(ToSchema)]
pub struct FoundPayment {
    /// Its record.
    #[serde(flatten)]
    pub payment: PaymentRecord,
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
