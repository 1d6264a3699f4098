//! Schemas of the DOM events of the elements, as objects with the event's `type` and `detail`.
//!
//! The elements make the details from JavaScript values, so the types are never constructed.

use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::one_of;
use crate::client::FailureCode;
use crate::code::TokenCode;
use crate::payment::{PaymentState, Status};
use crate::payment_asset::PaymentAsset;

/// An event of `<tender-checkout>`.
#[derive(ToSchema)]
#[serde(tag = "type", content = "detail")]
pub enum CheckoutEvent {
    /// The tokens are shown.
    #[serde(rename = "tender-ready")]
    Ready(OfferedTokens),
    /// A payment was created.
    #[serde(rename = "tender-created")]
    Created(EventPayment),
    /// The status changed.
    #[serde(rename = "tender-status")]
    Status(StatusChange),
    /// The hash of the buyer's transaction became known.
    #[serde(rename = "tender-transaction")]
    Transaction(BuyerTransaction),
    /// The buyer cancelled the payment here.
    #[serde(rename = "tender-cancelled")]
    Cancelled(EventPayment),
    /// The state became `pending`.
    #[serde(rename = "tender-pending")]
    Pending(EventPayment),
    /// The state became `underpaid`.
    #[serde(rename = "tender-underpaid")]
    Underpaid(EventPayment),
    /// The state became `paid`. This proves nothing to the shop's backend.
    #[serde(rename = "tender-paid")]
    Paid(EventPayment),
    /// The state became `closed`.
    #[serde(rename = "tender-closed")]
    Closed(EventPayment),
    /// Something failed.
    #[serde(rename = "tender-error")]
    Error(ElementError),
}

/// An event of `<tender-payments>`.
#[derive(ToSchema)]
#[serde(tag = "type", content = "detail")]
pub enum PaymentsEvent {
    /// The payments are shown.
    #[serde(rename = "tender-ready")]
    Ready(LoadedPayments),
    /// There is a new payment.
    #[serde(rename = "tender-created")]
    Created(EventPayment),
    /// The status of a payment changed.
    #[serde(rename = "tender-status")]
    Status(StatusChange),
    /// Something failed.
    #[serde(rename = "tender-error")]
    Error(ElementError),
}

/// What the buyer can choose.
#[derive(ToSchema)]
pub struct OfferedTokens {
    /// The codes of the tokens, in the order on the page.
    pub tokens: Vec<TokenCode>,
}

/// What the dashboard shows.
#[derive(ToSchema)]
pub struct LoadedPayments {
    /// How many payments are loaded.
    pub payments: u32,
}

/// The payment that an event is about.
#[derive(ToSchema)]
pub struct EventPayment {
    /// The payment.
    pub payment: ElementPayment,
}

/// The payment and the status before.
#[derive(ToSchema)]
pub struct StatusChange {
    /// The payment.
    pub payment: ElementPayment,
    /// The status before.
    pub previous: Status,
}

/// The buyer's transaction.
#[derive(ToSchema)]
pub struct BuyerTransaction {
    /// Its hash.
    pub hash: String,
    /// Its page in a block explorer; null if the network has none.
    #[schema(required = true)]
    pub url: Option<String>,
}

/// What failed.
#[derive(ToSchema)]
pub struct ElementError {
    /// The kind of failure, for programs.
    pub code: ErrorCode,
    /// For developers. The buyer sees another text.
    pub message: String,
    /// Whether a retry may succeed.
    pub retryable: bool,
}

/// A payment with the service's field names.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ElementPayment {
    /// Payment identifier, a UUID.
    pub transaction_id: String,
    /// Currency of `quantity`, for display.
    pub token: String,
    /// Currency of `quantityPay`, for display.
    pub payment_token: String,
    /// Network and token; null if `paymentToken` does not name the network.
    #[schema(required = true)]
    pub payment_asset: Option<PaymentAsset>,
    /// The price, in `token`.
    pub quantity: Decimal,
    /// The amount to pay, in `paymentToken`.
    pub quantity_pay: Decimal,
    /// The price in US dollars.
    #[schema(required = true)]
    pub price_usd: Option<Decimal>,
    /// Buyer e-mail as sent on creation.
    #[schema(required = true)]
    pub purchase_email: Option<String>,
    /// Buyer name as sent on creation.
    #[schema(required = true)]
    pub purchase_name: Option<String>,
    /// The merchant's invoice identifier.
    #[schema(required = true)]
    pub invoice_number: Option<String>,
    /// Item number as sent on creation.
    #[schema(required = true)]
    pub item_number: Option<String>,
    /// Status code.
    pub status_id: String,
    /// Status name.
    pub status_text: String,
    /// The wallet to pay.
    pub wallet: String,
    /// Date in the form `YYYY/MM/DD`.
    #[schema(required = true)]
    pub created_at: Option<String>,
    /// What the status means; null if the proxy does not say.
    #[schema(required = true)]
    pub state: Option<PaymentState>,
    /// Present and true if the payment is a test, without real money.
    #[schema(required = false)]
    pub test_mode: bool,
}

/// A decimal number as a string, without an exponent.
#[derive(ToSchema)]
#[schema(pattern = r"^[0-9]+(\.[0-9]+)?$")]
pub struct Decimal(pub String);

/// The code of a failure: [`FailureCode`], and what the loader adds if the module can't be loaded or stops.
pub struct ErrorCode;

impl PartialSchema for ErrorCode {
    fn schema() -> RefOr<Schema> {
        let codes = FailureCode::ALL.iter().map(|code| code.as_str());
        one_of(codes.chain(["load-failed", "crashed"]))
    }
}

impl ToSchema for ErrorCode {}
