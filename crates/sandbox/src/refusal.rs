//! How the sandbox says no. The service's document shows no errors: all of this is the sandbox's
//! own choice (see [`choices`](crate::choices)).

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tender_protocol::ACCEPTED;

/// Why a request was not carried out.
///
/// As an answer: `{"error": {"code": ..., "message": ..., "field": ...}}`, `field` only where one
/// is at fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The body is cut short or over the limit.
    #[error("the body can't be read: {reason}")]
    UnreadableBody {
        /// 400 or 413.
        status: StatusCode,
        /// What the HTTP library says.
        reason: String,
    },
    /// The body is not the JSON that was expected.
    #[error("the body is not as expected: {0}")]
    InvalidJson(String),
    /// A required field is absent or null.
    #[error("`{0}` is required")]
    MissingField(&'static str),
    /// A field has another type or a value out of bounds.
    #[error("`{field}` is not valid: {reason}")]
    InvalidField {
        /// Its name.
        field: &'static str,
        /// What is wrong, and what would be right.
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
        /// As it was sent.
        code: String,
    },
    /// No payment has this identifier.
    #[error("there is no payment {0:?}")]
    UnknownPayment(String),
    /// The required header is missing or another one.
    #[error("the header `{0}` is missing or wrong; the sandbox was started to require it")]
    Unauthorized(String),
    /// Nothing lives at this path.
    #[error("nothing lives at this path of this address")]
    NotFound,
    /// The path is there, the method is not.
    #[error("this path does not take this method")]
    MethodNotAllowed,
    /// The sandbox failed; its log says why.
    #[error("the sandbox failed; its log says why")]
    Internal,
}

impl Refusal {
    /// What programs switch on.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnreadableBody { .. } => "unreadable_body",
            Self::InvalidJson(_) => "invalid_json",
            Self::MissingField(_) => "missing_field",
            Self::InvalidField { .. } => "invalid_field",
            Self::NotAccepted { .. } => "token_not_accepted",
            Self::UnknownPayment(_) => "unknown_payment",
            Self::Unauthorized(_) => "unauthorized",
            Self::NotFound => "not_found",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::Internal => "internal",
        }
    }

    /// The HTTP status of the answer.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            Self::UnreadableBody { status, .. } => *status,
            Self::InvalidJson(_)
            | Self::MissingField(_)
            | Self::InvalidField { .. }
            | Self::NotAccepted { .. } => StatusCode::BAD_REQUEST,
            Self::Unauthorized(_) => StatusCode::UNAUTHORIZED,
            Self::UnknownPayment(_) | Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The field at fault.
    #[must_use]
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::MissingField(field)
            | Self::InvalidField { field, .. }
            | Self::NotAccepted { field, .. } => Some(field),
            _ => None,
        }
    }

    /// A field that is not as it should be, with the reason.
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
        struct Body {
            error: Error,
        }

        #[derive(Serialize)]
        struct Error {
            code: &'static str,
            message: String,
            #[serde(skip_serializing_if = "Option::is_none")]
            field: Option<&'static str>,
        }

        let error = Error {
            code: self.code(),
            message: self.to_string(),
            field: self.field(),
        };
        (self.status(), Json(Body { error })).into_response()
    }
}

fn accepted_codes() -> String {
    let codes: Vec<&str> = ACCEPTED.iter().map(|(code, _)| code.as_str()).collect();
    codes.join(", ")
}
