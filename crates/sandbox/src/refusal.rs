//! Error responses. The service's document shows no errors, so all of them are the sandbox's own
//! choice (see [`choices`](crate::choices)).

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;
use tender_protocol::RecordError;
use tender_protocol::code::accepted_codes;

/// Why a request was refused.
///
/// As a response: `{"error": {"code": ..., "message": ..., "field": ...}}`, with `field` only if
/// one field is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The body is incomplete or too long.
    #[error("can't read the body: {reason}")]
    UnreadableBody {
        /// 400 or 413.
        status: StatusCode,
        /// The message of the HTTP library.
        reason: String,
    },
    /// The body is not the expected JSON.
    #[error("the body is not as expected: {0}")]
    InvalidJson(String),
    /// A required field is absent, null or blank, or a field has another type.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A field is out of range.
    #[error("`{field}` is not valid: {reason}")]
    InvalidField {
        /// The name of the field.
        field: &'static str,
        /// What is wrong, and what is expected.
        reason: String,
    },
    /// A code that the create endpoint does not accept.
    #[error(
        "`{field}` may not be {code:?}; the accepted codes are {}",
        accepted_codes()
    )]
    NotAccepted {
        /// `token` or `paymentToken`.
        field: &'static str,
        /// The code in the request.
        code: String,
    },
    /// No payment has this identifier.
    #[error("there is no payment {0:?}")]
    UnknownPayment(String),
    /// The required header is missing or wrong.
    #[error("the header `{0}` is missing or wrong; the sandbox was started to require it")]
    Unauthorized(String),
    /// There is no route at this path.
    #[error("there is nothing at this path of this address")]
    NotFound,
    /// The route does not support this method.
    #[error("this path does not support this method")]
    MethodNotAllowed,
    /// The sandbox failed; its log has the cause.
    #[error("the sandbox failed; its log has the cause")]
    Internal,
}

impl Refusal {
    /// The HTTP status of the response, the error code for programs, and the invalid field.
    fn parts(&self) -> (StatusCode, &'static str, Option<&str>) {
        let bad = StatusCode::BAD_REQUEST;
        match self {
            Self::UnreadableBody { status, .. } => (*status, "unreadable_body", None),
            Self::InvalidJson(_) | Self::Record(RecordError::NotJson { .. }) => {
                (bad, "invalid_json", None)
            }
            Self::Record(RecordError::Missing { field, .. }) => (bad, "missing_field", Some(field)),
            Self::Record(RecordError::Invalid { field, .. }) => (bad, "invalid_field", Some(field)),
            Self::InvalidField { field, .. } => (bad, "invalid_field", Some(field)),
            Self::NotAccepted { field, .. } => (bad, "token_not_accepted", Some(field)),
            Self::UnknownPayment(_) => (StatusCode::NOT_FOUND, "unknown_payment", None),
            Self::Unauthorized(_) => (StatusCode::UNAUTHORIZED, "unauthorized", None),
            Self::NotFound => (StatusCode::NOT_FOUND, "not_found", None),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", None),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal", None),
        }
    }

    /// An invalid field, with the reason.
    pub(crate) fn field_is(field: &'static str, reason: impl Into<String>) -> Self {
        Self::InvalidField {
            field,
            reason: reason.into(),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        #[derive(Serialize)]
        struct Error<'a> {
            code: &'static str,
            message: String,
            #[serde(skip_serializing_if = "Option::is_none")]
            field: Option<&'a str>,
        }

        let (status, code, field) = self.parts();
        let error = Error {
            code,
            message: self.to_string(),
            field,
        };
        (status, Json(json!({ "error": error }))).into_response()
    }
}
