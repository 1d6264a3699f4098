//! The JSON records of the payment service and of the merchant proxy, and exact amounts. No I/O.
//!
//! The widget, the proxy and the sandbox share these types. Field names are those of the service (its
//! document, "Resources and their fields").

pub mod amount;
pub mod asset_info;
pub mod client;
pub mod code;
pub mod date;
pub mod delivery;
pub mod found;
pub mod ledger;
#[cfg(feature = "openapi")]
pub mod openapi;
pub mod order_payments;
pub mod payment;
pub mod payment_asset;
pub mod payment_link;
pub mod problem;
pub mod record;
pub mod request;
pub mod sanitize;
pub mod secret_lines;
pub mod sent;
pub mod test_mode;
pub mod token;
pub mod token_name;

pub use amount::{Amount, AmountError};
pub use asset_info::AssetInfo;
pub use code::{ACCEPTED, TokenCode};
pub use date::Date;
pub use delivery::{Deliveries, Delivery, DeliveryState, EventKind, Resend, Resent};
pub use found::FoundFields;
pub use ledger::{KnownPayment, Ledger, Reconciling};
pub use order_payments::OrderPayments;
pub use payment::{Payment, PaymentState, Status};
pub use payment_asset::PaymentAsset;
pub use payment_link::{LinkLimits, NewOrder, PaymentLink};
pub use problem::{Problem, ProblemCode};
pub use record::{Record, RecordError};
pub use request::{CancelPayment, CreatePayment, OrderPayment};
pub use sanitize::{sanitize, sanitize_csv, sanitize_json};
pub use token::{Network, Token};
pub use token_name::TokenName;

/// The paths of the endpoints (the service's document, "Endpoints"). The proxy has the same paths.
pub mod path {
    /// `GET`, at the rates base URL: the tokens enabled for the project.
    pub const TOKENS: &str = "/api/v1/rates/my-tokens";
    /// `POST`: create a payment request. `GET`, only of the proxy: the payment of the signed order, with [`FoundFields`](super::FoundFields)
    /// that is the bearer token.
    pub const PAYMENT: &str = "/api/v1/payment";
    /// `GET`: list payments, [`PAGE_SIZE`](super::PAGE_SIZE) per page.
    pub const LIST: &str = "/api/v1/payment/list";
    /// `POST`: cancel a payment.
    pub const CANCEL: &str = "/api/v1/payment/cancel";
    /// `GET`, only of the proxy: what it knows about the payments in the query, each a `transactionId`, up
    /// to [`MAX_ASKED`](super::ledger::MAX_ASKED) of them.
    pub const LEDGER: &str = "/api/v1/payment/ledger";
    /// `GET`, only of the proxy, with the query `invoiceNumber`: its [`OrderPayments`](super::OrderPayments). `POST`, only with
    /// payment links: signs a [`NewOrder`](super::NewOrder).
    pub const ORDERS: &str = "/api/v1/orders";
    /// `PUT` and `DELETE`, only of the proxy, after [`PAYMENT`] and a transactionId, and before `/` and the SHA-256 of a secret: a
    /// [`Mark`](super::sent::Mark) that money may have been sent for the payment. `DELETE` without that: the merchant removes all.
    pub const SENT: &str = "/sent";
    /// `POST`, only of the proxy, after [`PAYMENT`] and a transactionId: the merchant frees the payment's order.
    pub const RELEASE: &str = "/release";
    /// `GET`, only of the proxy: the widget's form as HTML.
    pub const CHECKOUT: &str = "/v1/checkout.html";
    /// `GET` and `POST`, only of the proxy: the payment page that works without JavaScript.
    pub const PAY: &str = "/pay";
    /// `GET`, only of the proxy: the stream of [`event`](super::event)s of all payments.
    pub const EVENTS: &str = "/api/v1/payment/events";
    /// `GET`, only of the proxy: the [`delivery`](super::delivery) of notifications to the shop's backend,
    /// optionally only of a `transactionId`, in a `state`, or older than the id `before`.
    pub const DELIVERIES: &str = "/api/v1/payment/deliveries";
    /// `GET`, only of the proxy: its OpenAPI document.
    pub const OPENAPI: &str = "/v1/openapi.json";
    /// `POST`, only of the proxy: send notifications again.
    pub const RESEND: &str = "/api/v1/payment/deliveries/resend";
}

/// The names of the server-sent events (HTML standard, "Server-sent events").
pub mod event {
    /// The record of a payment that is new to the proxy. Only in the stream of all payments.
    pub const CREATED: &str = "created";
    /// The record of a payment that changed.
    pub const STATUS: &str = "status";
    /// What the proxy knows about payments may have changed; request [`path::LEDGER`](super::path::LEDGER)
    /// again. The data is `{}`. Only in the stream of all payments.
    pub const LEDGER: &str = "ledger";
}

/// Number of payments on one page of the list (the service's document, "Limits").
pub const PAGE_SIZE: usize = 20;
