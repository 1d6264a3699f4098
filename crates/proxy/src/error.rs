//! All errors of the proxy and their responses as problem details (RFC 9457).
//!
//! The responses contain only texts of this module. Their causes are logged.

use std::sync::Arc;
use std::time::Duration;

use axum::http::header::{CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use tender_protocol::{ACCEPTED, Problem, ProblemCode, problem};

use crate::attempts::BadKey;
use crate::database;
use crate::order::OrderError;
use crate::service::ServiceError;

/// `Retry-After` for an attempt that another request works on.
const RETRY: Duration = Duration::from_secs(2);

/// `Retry-After` when all event streams are in use.
const STREAM_RETRY: Duration = Duration::from_secs(30);

/// Why a request failed. The text is sent to the client.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("The request is not as documented: {0}.")]
    InvalidRequest(String),
    #[error("Send the body as `Content-Type: application/json`.")]
    UnsupportedMediaType,
    #[error("The request body did not arrive in time.")]
    RequestTimeout,
    #[error("Too many requests came from this address; try again in {} s.", seconds(*.0))]
    TooManyRequests(Duration),
    #[error("The request body is longer than {0} bytes.")]
    PayloadTooLarge(usize),
    #[error("`{0}` must be one of {list}.", list = accepted())]
    TokenNotAccepted(&'static str),
    #[error(transparent)]
    Order(#[from] OrderError),
    #[error("`quantity` differs from the order's amount; leave it out.")]
    OrderAmount,
    #[error("Send an `order` that the shop has signed.")]
    UnsignedOrder,
    #[error("Send `Authorization: Bearer` with the payment's receipt or a merchant key.")]
    CredentialsMissing,
    #[error("The receipt or key is wrong, has expired, or is for another payment.")]
    CredentialsInvalid,
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
    #[error("No payment with this transactionId is known.")]
    PaymentUnknown,
    #[error("Too many event streams are open; poll instead.")]
    StreamsFull,
    #[error("There is nothing at this path.")]
    NotFound,
    #[error("This path does not support this method.")]
    MethodNotAllowed,
    #[error("{}", advice(.0.code()))]
    Service(#[from] Arc<ServiceError>),
    /// The problem of another request for the same payment.
    #[error("{}", advice(*.0))]
    Shared(ProblemCode),
    #[error("The proxy failed; its log has the cause.")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Marks the response to wrong credentials, for the rate limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CredentialsRefused;

impl Error {
    /// An internal error.
    pub(crate) fn internal(cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Internal(Box::new(cause))
    }

    pub(crate) fn code(&self) -> ProblemCode {
        match self {
            Self::InvalidRequest(_) => ProblemCode::InvalidRequest,
            Self::UnsupportedMediaType => ProblemCode::UnsupportedMediaType,
            Self::RequestTimeout => ProblemCode::RequestTimeout,
            Self::TooManyRequests(_) => ProblemCode::TooManyRequests,
            Self::PayloadTooLarge(_) => ProblemCode::PayloadTooLarge,
            Self::TokenNotAccepted(_) => ProblemCode::TokenNotAccepted,
            Self::Order(error) => error.code(),
            Self::OrderAmount => ProblemCode::OrderAmountMismatch,
            Self::UnsignedOrder => ProblemCode::UnsignedOrderRefused,
            Self::CredentialsMissing => ProblemCode::CredentialsMissing,
            Self::CredentialsInvalid => ProblemCode::CredentialsInvalid,
            Self::AttemptMismatch => ProblemCode::AttemptMismatch,
            Self::AttemptInProgress => ProblemCode::AttemptInProgress,
            Self::AttemptEnded => ProblemCode::AttemptEnded,
            Self::EarlierPaymentOpen(_) => ProblemCode::EarlierPaymentOpen,
            Self::PaymentUnknown => ProblemCode::PaymentUnknown,
            Self::StreamsFull => ProblemCode::StreamsFull,
            Self::NotFound => ProblemCode::NotFound,
            Self::MethodNotAllowed => ProblemCode::MethodNotAllowed,
            Self::Service(error) => error.code(),
            Self::Shared(code) => *code,
            Self::Internal(_) => ProblemCode::Internal,
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::TooManyRequests(time) => Some(*time),
            Self::Service(error) => error.retry_after(),
            Self::StreamsFull => Some(STREAM_RETRY),
            Self::AttemptInProgress
            | Self::Shared(ProblemCode::ServiceUnavailable | ProblemCode::Overloaded) => {
                Some(RETRY)
            }
            _ => None,
        }
    }

    fn log(&self) {
        let code = self.code().as_str();
        match self {
            Self::Service(cause) => tracing::warn!(code, %cause, "the call to the service failed"),
            Self::EarlierPaymentOpen(cause) => {
                tracing::warn!(code, %cause, "the earlier payment could not be cancelled");
            }
            Self::Internal(cause) => tracing::error!(code, %cause, "the proxy failed"),
            // The text may quote the request.
            _ => tracing::debug!(code, "refused"),
        }
    }
}

/// Whole seconds, rounded up (RFC 9110, section 10.2.3).
fn seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}

fn advice(code: ProblemCode) -> &'static str {
    match code {
        ProblemCode::ServiceRefused => "The payment service does not accept this payment.",
        ProblemCode::ServiceTimeout => "The payment service did not answer in time; try again.",
        ProblemCode::ServiceUnreachable => "The payment service can't be reached; try again.",
        ProblemCode::ServiceUnavailable => "The payment service is not available; try again later.",
        ProblemCode::Overloaded => "Too many payments are being created; try again in a moment.",
        ProblemCode::ServiceUnreadable => {
            "The payment service's response can't be used; try again."
        }
        _ => "The payment service failed; try again.",
    }
}

fn accepted() -> String {
    let codes: Vec<_> = ACCEPTED.iter().map(|(code, _)| code.as_str()).collect();
    codes.join(", ")
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        self.log();
        let code = self.code();
        let problem = Problem {
            kind: format!("urn:problem-type:tender:{}", code.as_str()),
            title: code.title().to_owned(),
            status: code.status(),
            detail: self.to_string(),
            code,
        };
        let status = StatusCode::from_u16(code.status()).unwrap_or_default();
        let media_type = HeaderValue::from_static(problem::MEDIA_TYPE);
        let mut response = (status, axum::Json(problem)).into_response();
        response.headers_mut().insert(CONTENT_TYPE, media_type);
        let headers = response.headers_mut();
        if let Some(time) = self.retry_after() {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds(time)));
        }
        match self {
            Self::CredentialsMissing => {
                headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            Self::CredentialsInvalid => {
                response.extensions_mut().insert(CredentialsRefused);
            }
            // The rest of the body may still arrive.
            Self::RequestTimeout => {
                headers.insert(CONNECTION, HeaderValue::from_static("close"));
            }
            _ => {}
        }
        response
    }
}

impl From<BadKey> for Error {
    fn from(error: BadKey) -> Self {
        Self::InvalidRequest(error.to_string())
    }
}

impl From<database::Error> for Error {
    fn from(error: database::Error) -> Self {
        Self::internal(error)
    }
}

impl From<ServiceError> for Error {
    fn from(error: ServiceError) -> Self {
        Self::Service(Arc::new(error))
    }
}
