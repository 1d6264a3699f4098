//! All errors of the proxy and their responses as problem details (RFC 9457).
//!
//! The responses contain only texts of this module. Their causes are logged.

use std::sync::Arc;
use std::time::Duration;

use axum::http::header::{CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use tender_protocol::{Problem, ProblemCode, problem};

use crate::checkout;
use crate::http::credential::Credential;
use crate::service::{self, ServiceError};
use crate::store::database;
use crate::tracking;

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
    #[error("Send `Authorization: Bearer` with the payment's receipt or a merchant key.")]
    CredentialsMissing,
    #[error(
        "The proxy refuses requests from {origin}. It allows {allowed}. Add the origin to `allow_origin`, or \
         open the page at an allowed one."
    )]
    OriginRefused { origin: String, allowed: String },
    #[error("The receipt or key is wrong, has expired, or is for another payment.")]
    CredentialsInvalid(Credential),
    /// The secret in the path is wrong. The response does not reveal that there is a webhook.
    #[error("There is nothing at this path.")]
    WebhookUnknown,
    #[error("There is nothing at this path.")]
    NotFound,
    #[error("This path does not support this method.")]
    MethodNotAllowed,
    #[error(transparent)]
    Checkout(checkout::Error),
    #[error(transparent)]
    Tracking(tracking::Error),
    #[error("{}", service::advice(.0.code()))]
    Service(#[from] Arc<ServiceError>),
    #[error("The proxy is shutting down; use another instance.")]
    Stopping,
    #[error("The proxy failed; its log has the cause.")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Marks the response to a wrong credential of this kind, for the rate limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CredentialsRefused(pub(crate) Credential);

impl Error {
    /// A refusal of a request, for this reason.
    pub(crate) fn invalid(reason: impl Into<String>) -> Self {
        Self::InvalidRequest(reason.into())
    }

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
            Self::OriginRefused { .. } => ProblemCode::OriginRefused,
            Self::CredentialsMissing => ProblemCode::CredentialsMissing,
            Self::CredentialsInvalid(_) => ProblemCode::CredentialsInvalid,
            Self::NotFound | Self::WebhookUnknown => ProblemCode::NotFound,
            Self::MethodNotAllowed => ProblemCode::MethodNotAllowed,
            Self::Checkout(error) => error.code(),
            Self::Tracking(error) => error.code(),
            Self::Service(error) => error.code(),
            Self::Stopping => ProblemCode::Stopping,
            Self::Internal(_) => ProblemCode::Internal,
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::TooManyRequests(time) => Some(*time),
            Self::Checkout(error) => error.retry_after(),
            Self::Tracking(error) => error.retry_after(),
            Self::Service(error) => error.retry_after(),
            _ => None,
        }
    }

    fn log(&self) {
        let code = self.code().as_str();
        match self {
            Self::Service(cause) => tracing::warn!(code, %cause, "the call to the service failed"),
            Self::Checkout(checkout::Error::EarlierPaymentOpen(cause)) => {
                tracing::warn!(code, %cause, "the earlier payment could not be cancelled");
            }
            Self::Checkout(checkout::Error::Database(cause)) => {
                tracing::error!(code, %cause, "the database is not available");
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

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = self.response(axum::Json(self.problem()));
        let media_type = HeaderValue::from_static(problem::MEDIA_TYPE);
        response.headers_mut().insert(CONTENT_TYPE, media_type);
        response
    }
}

impl Error {
    /// The problem details.
    pub(crate) fn problem(&self) -> Problem {
        let code = self.code();
        Problem {
            kind: format!("urn:problem-type:tender:{}", code.as_str()),
            title: code.title().to_owned(),
            status: code.status(),
            detail: self.to_string(),
            code,
        }
    }

    /// A response with the status and the headers of this error, which is logged.
    pub(crate) fn response(&self, body: impl IntoResponse) -> Response {
        self.log();
        let code = self.code();
        let status = StatusCode::from_u16(code.status()).unwrap_or_default();
        let mut response = (status, body).into_response();
        response.extensions_mut().insert(code);
        let headers = response.headers_mut();
        if let Some(time) = self.retry_after() {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds(time)));
        }
        match self {
            Self::CredentialsMissing => {
                headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            Self::CredentialsInvalid(kind) => {
                response.extensions_mut().insert(CredentialsRefused(*kind));
            }
            Self::WebhookUnknown => {
                let kind = CredentialsRefused(Credential::WebhookSecret);
                response.extensions_mut().insert(kind);
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

impl From<checkout::Error> for Error {
    fn from(error: checkout::Error) -> Self {
        match error {
            checkout::Error::Service(error) => Self::Service(error),
            checkout::Error::Internal(cause) => Self::Internal(cause),
            other => Self::Checkout(other),
        }
    }
}

impl From<tracking::Error> for Error {
    fn from(error: tracking::Error) -> Self {
        match error {
            tracking::Error::Database(error) => checkout::Error::from(error).into(),
            other => Self::Tracking(other),
        }
    }
}

impl From<database::Error> for Error {
    fn from(error: database::Error) -> Self {
        checkout::Error::from(error).into()
    }
}

impl From<ServiceError> for Error {
    fn from(error: ServiceError) -> Self {
        Self::Service(Arc::new(error))
    }
}
