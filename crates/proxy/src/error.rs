//! Why a request fails. The texts are sent to clients; their causes are logged.

use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use tender_protocol::{ACCEPTED, ProblemCode};

use crate::order::OrderError;
use crate::rate_limit::Exceeded;
use crate::service::{self, ServiceError};
use crate::store::database;

/// `Retry-After` for an attempt that another request works on, and for a database that fails.
const RETRY: Duration = Duration::from_secs(2);

/// `Retry-After` when all event streams are in use.
const STREAM_RETRY: Duration = Duration::from_secs(30);

/// The usual mistakes are a `proxy` with too much or too little of a path, or with two slashes.
const NOTHING_HERE: &str = "There is nothing at this path. Those of the proxy are `/api/v1/...`, `/v1/...` and `/pay`: check the \
                            element's `proxy`, and whether a server in front changes the path.";

/// Why a request failed. The text is sent to the client.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("The request is not as documented: {0}.")]
    InvalidRequest(String),
    #[error("Send the body as `Content-Type: application/json`.")]
    UnsupportedMediaType,
    #[error("The request body did not arrive in time.")]
    RequestTimeout,
    #[error("The request body is longer than {0} bytes.")]
    PayloadTooLarge(usize),
    #[error("Too many requests came from this address; try again in {} s.", seconds(*.0))]
    TooManyRequests(Duration),
    #[error(
        "The proxy refuses requests from {origin}. It allows {allowed}. {advice}",
        advice = origin_advice(.origin)
    )]
    OriginRefused { origin: String, allowed: String },
    #[error(
        "Send `Authorization: Bearer` with the payment's receipt, its signed order or a merchant key, as the path needs."
    )]
    CredentialsMissing,
    #[error("The receipt or key is wrong, has expired, or is for another payment.")]
    CredentialsInvalid(Credential),
    #[error("The order has expired, so its payment can only be read; ask the shop.")]
    ReadOnly,
    /// The secret in the path is wrong. The response does not reveal that there is a webhook.
    #[error("{NOTHING_HERE}")]
    WebhookUnknown,
    #[error("{NOTHING_HERE}")]
    NotFound,
    #[error("This path does not support this method.")]
    MethodNotAllowed,
    #[error("`{0}` must be one of {list}.", list = accepted())]
    TokenNotAccepted(&'static str),
    #[error(transparent)]
    Order(#[from] OrderError),
    #[error("`quantity` differs from the order's amount; leave it out.")]
    OrderAmount,
    #[error("Send an `order` that the shop has signed.")]
    UnsignedOrder,
    #[error("This `Idempotency-Key` was sent before with another body; use a new key.")]
    AttemptMismatch,
    #[error("This payment is still being created; try again in a moment.")]
    AttemptInProgress,
    #[error("This payment was cancelled or replaced; start again.")]
    AttemptEnded,
    #[error(
        "The order's earlier payment may still be open, because cancelling it failed; try again."
    )]
    EarlierPaymentOpen(#[source] Arc<ServiceError>),
    #[error(
        "The payment may have been paid, so it is neither cancelled nor replaced; ask the shop."
    )]
    PaymentProgressed,
    #[error(
        "The order has another open payment. Name it in `replaces`, with its receipt, or pay that one."
    )]
    PaymentOpen,
    #[error(
        "Money may have been sent for the payment, so it is neither cancelled nor replaced; ask the shop."
    )]
    PaymentSent,
    #[error("The payment is being cancelled or has ended; send no money for it.")]
    CancelBegun,
    #[error("The proxy does not know this payment.")]
    PaymentUnknown,
    #[error("{}", service::advice(.0.code()))]
    Service(#[from] Arc<ServiceError>),
    /// The problem of another request for the same payment.
    #[error("{}", service::advice(*.0))]
    Shared(ProblemCode),
    #[error("The proxy's database is not available; try again in a moment.")]
    Database(#[source] database::Error),
    #[error("No payment with this transactionId is known.")]
    PaymentUntracked,
    #[error("Too many event streams are open; poll instead.")]
    StreamsFull,
    #[error("The proxy is shutting down; use another instance.")]
    Stopping,
    #[error("The proxy failed; its log has the cause.")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// A kind of credential. Wrong ones are limited separately for each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Credential {
    Receipt,
    MerchantKey,
    WebhookSecret,
}

impl Error {
    pub(crate) fn invalid(reason: impl Into<String>) -> Self {
        Self::InvalidRequest(reason.into())
    }

    pub(crate) fn internal(cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Internal(Box::new(cause))
    }

    pub(crate) fn code(&self) -> ProblemCode {
        match self {
            Self::InvalidRequest(_) => ProblemCode::InvalidRequest,
            Self::UnsupportedMediaType => ProblemCode::UnsupportedMediaType,
            Self::RequestTimeout => ProblemCode::RequestTimeout,
            Self::PayloadTooLarge(_) => ProblemCode::PayloadTooLarge,
            Self::TooManyRequests(_) => ProblemCode::TooManyRequests,
            Self::OriginRefused { .. } => ProblemCode::OriginRefused,
            Self::CredentialsMissing => ProblemCode::CredentialsMissing,
            Self::CredentialsInvalid(_) => ProblemCode::CredentialsInvalid,
            Self::NotFound | Self::WebhookUnknown => ProblemCode::NotFound,
            Self::MethodNotAllowed => ProblemCode::MethodNotAllowed,
            Self::TokenNotAccepted(_) => ProblemCode::TokenNotAccepted,
            Self::Order(error) => error.code(),
            Self::ReadOnly => ProblemCode::OrderExpired,
            Self::OrderAmount => ProblemCode::OrderAmountMismatch,
            Self::UnsignedOrder => ProblemCode::UnsignedOrderRefused,
            Self::AttemptMismatch => ProblemCode::AttemptMismatch,
            Self::AttemptInProgress => ProblemCode::AttemptInProgress,
            Self::AttemptEnded => ProblemCode::AttemptEnded,
            Self::EarlierPaymentOpen(_) => ProblemCode::EarlierPaymentOpen,
            Self::PaymentProgressed => ProblemCode::PaymentProgressed,
            Self::PaymentOpen => ProblemCode::PaymentOpen,
            Self::PaymentSent => ProblemCode::PaymentSent,
            Self::CancelBegun => ProblemCode::CancelBegun,
            Self::PaymentUnknown | Self::PaymentUntracked => ProblemCode::PaymentUnknown,
            Self::Service(error) => error.code(),
            Self::Shared(code) => *code,
            Self::Database(_) => ProblemCode::DatabaseUnavailable,
            Self::StreamsFull => ProblemCode::StreamsFull,
            Self::Stopping => ProblemCode::Stopping,
            Self::Internal(_) => ProblemCode::Internal,
        }
    }

    /// When to try again.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::TooManyRequests(time) => Some(*time),
            Self::Service(error) => error.retry_after(),
            Self::StreamsFull => Some(STREAM_RETRY),
            Self::AttemptInProgress | Self::Database(_) | Self::Shared(ProblemCode::Overloaded) => {
                Some(RETRY)
            }
            _ => None,
        }
    }
}

pub(crate) fn parse<T: DeserializeOwned>(json: &str) -> Result<T, Error> {
    serde_json::from_str(json).map_err(|error| Error::InvalidRequest(error.to_string()))
}

/// Whole seconds, rounded up (RFC 9110, section 10.2.3).
pub(crate) fn seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}

/// What to do about a refused origin. Any site can have that of a file, and of a sandboxed frame (HTML, "opaque origin").
fn origin_advice(origin: &str) -> &'static str {
    if origin == "null" {
        "Open the page from a server by http(s), not as a file or in a sandboxed frame."
    } else {
        "Add the origin to `allow_origin`, or open the page at an allowed one."
    }
}

fn accepted() -> String {
    let codes: Vec<_> = ACCEPTED.iter().map(|token| token.code.as_str()).collect();
    codes.join(", ")
}

impl From<database::Error> for Error {
    fn from(error: database::Error) -> Self {
        match error {
            database::Error::LeaseLost => Self::AttemptInProgress,
            error if error.is_unavailable() => Self::Database(error),
            error => Self::internal(error),
        }
    }
}

impl From<Exceeded> for Error {
    fn from(Exceeded(wait): Exceeded) -> Self {
        Self::TooManyRequests(wait)
    }
}

impl From<ServiceError> for Error {
    fn from(error: ServiceError) -> Self {
        Self::Service(Arc::new(error))
    }
}
