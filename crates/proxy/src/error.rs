//! Why a request fails. The texts are sent to clients; their causes are logged.

use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use tender_protocol::ProblemCode;
use tender_protocol::code::accepted_codes;

use crate::order::OrderError;
use crate::rate_limit::Exceeded;
use crate::service::ServiceError;
use crate::store::database;

/// `Retry-After` for an attempt that another request works on, and for a database that fails.
const RETRY: Duration = Duration::from_secs(2);

/// `Retry-After` when all event streams are in use.
const STREAM_RETRY: Duration = Duration::from_secs(30);

/// Why a request failed. The text is sent to the client.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A problem whose text is always the same. It may be that of another request for the same payment.
    #[error("{}", .0.detail())]
    Problem(ProblemCode),
    #[error("The request is not as documented: {0}.")]
    InvalidRequest(String),
    #[error("Too many requests came from this address; try again in {} s.", seconds(*.0))]
    TooManyRequests(Duration),
    #[error(
        "The proxy refuses requests from {origin}. It allows {allowed}. {advice}",
        advice = origin_advice(.origin)
    )]
    OriginRefused { origin: String, allowed: String },
    #[error("{}", .0.code().detail())]
    CredentialsInvalid(Credential),
    #[error("`{0}` must be one of {list}.", list = accepted_codes())]
    TokenNotAccepted(&'static str),
    #[error(transparent)]
    Order(#[from] OrderError),
    #[error("{}", ProblemCode::EarlierPaymentOpen.detail())]
    EarlierPaymentOpen(#[source] Arc<ServiceError>),
    #[error("{}", .0.code().detail())]
    Service(#[from] Arc<ServiceError>),
    #[error("{}", ProblemCode::DatabaseUnavailable.detail())]
    Database(#[source] database::Error),
    #[error("{}", ProblemCode::Internal.detail())]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// A kind of credential. Wrong ones are limited separately for each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Credential {
    Receipt,
    MerchantKey,
    WebhookSecret,
}

impl Credential {
    fn code(self) -> ProblemCode {
        match self {
            Self::Receipt | Self::MerchantKey => ProblemCode::CredentialsInvalid,
            // The response does not reveal that there is a webhook.
            Self::WebhookSecret => ProblemCode::NotFound,
        }
    }
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
            Self::Problem(code) => *code,
            Self::InvalidRequest(_) => ProblemCode::InvalidRequest,
            Self::TooManyRequests(_) => ProblemCode::TooManyRequests,
            Self::OriginRefused { .. } => ProblemCode::OriginRefused,
            Self::CredentialsInvalid(kind) => kind.code(),
            Self::TokenNotAccepted(_) => ProblemCode::TokenNotAccepted,
            Self::Order(error) => error.code(),
            Self::EarlierPaymentOpen(_) => ProblemCode::EarlierPaymentOpen,
            Self::Service(error) => error.code(),
            Self::Database(_) => ProblemCode::DatabaseUnavailable,
            Self::Internal(_) => ProblemCode::Internal,
        }
    }

    /// When to try again.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::TooManyRequests(time) => Some(*time),
            Self::Service(error) => error.retry_after(),
            Self::Problem(ProblemCode::StreamsFull) => Some(STREAM_RETRY),
            Self::Problem(ProblemCode::AttemptInProgress | ProblemCode::Overloaded)
            | Self::Database(_) => Some(RETRY),
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

impl From<ProblemCode> for Error {
    fn from(code: ProblemCode) -> Self {
        Self::Problem(code)
    }
}

impl From<database::Error> for Error {
    fn from(error: database::Error) -> Self {
        match error {
            database::Error::LeaseLost => ProblemCode::AttemptInProgress.into(),
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
