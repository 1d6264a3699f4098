//! Responses to errors: problem details (RFC 9457). Their causes are logged.

use axum::http::header::{CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use tender_protocol::{Problem, ProblemCode, problem};

use crate::error::{Error, seconds};
use crate::order::OrderError;

pub(crate) const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

impl Error {
    fn log(&self) {
        let code = self.code().as_str();
        match self {
            Self::Service(cause) => tracing::warn!(code, %cause, "the call to the service failed"),
            Self::EarlierPaymentOpen(cause) => {
                tracing::warn!(code, %cause, "the earlier payment could not be cancelled");
            }
            Self::Database(cause) => {
                tracing::error!(code, %cause, "the database is not available");
            }
            Self::Internal(cause) => tracing::error!(code, %cause, "the proxy failed"),
            // It happens to every buyer who comes late.
            Self::Order(OrderError::Expired(_)) => {
                tracing::info!(code, reason = %self, "an order was refused");
            }
            Self::Order(_) => tracing::warn!(code, reason = %self, "an order was refused"),
            // The text may quote the request.
            _ => tracing::debug!(code, "refused"),
        }
    }

    pub(crate) fn problem(&self) -> Problem {
        Problem::of(self.code(), self.to_string())
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
        // So that the console says 404, and not `NotSameOrigin`, if a page loads a script from a wrong path.
        if code == ProblemCode::NotFound {
            let everyone = HeaderValue::from_static("cross-origin");
            headers.insert(CROSS_ORIGIN_RESOURCE_POLICY, everyone);
        }
        match self {
            Self::Problem(ProblemCode::CredentialsMissing) => {
                headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            // For the rate limit.
            Self::CredentialsInvalid(kind) => {
                response.extensions_mut().insert(*kind);
            }
            // The rest of the body may still arrive.
            Self::Problem(ProblemCode::RequestTimeout) => {
                headers.insert(CONNECTION, HeaderValue::from_static("close"));
            }
            _ => {}
        }
        response
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = self.response(axum::Json(self.problem()));
        let media_type = HeaderValue::from_static(problem::MEDIA_TYPE);
        response.headers_mut().insert(CONTENT_TYPE, media_type);
        response
    }
}
