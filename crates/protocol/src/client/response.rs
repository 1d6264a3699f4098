//! The outcome of a request to the proxy.

use crate::{Problem, ProblemCode, RecordError};

use super::failure::{Failure, FailureCode};

/// A complete HTTP response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpResponse {
    /// The HTTP status.
    pub status: u16,
    /// The body, as text.
    pub body: String,
}

/// Why there is no response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransportError {
    /// The request could not be sent, or its response was lost.
    Unreachable(String),
    /// No response within the timeout.
    TimedOut,
}

/// The outcome of a request.
pub type FetchResult = Result<HttpResponse, TransportError>;

/// Whether the proxy has no such route: 404, 405 or 501, without a problem code that says
/// something else, such as `payment-unknown`.
///
/// A restarting proxy may respond the same way, so a later request may succeed.
pub fn is_route_missing(result: &FetchResult) -> bool {
    let Ok(HttpResponse {
        status: 404 | 405 | 501,
        body,
    }) = result
    else {
        return false;
    };
    let code = Problem::parse(body).map(|problem| problem.code);
    matches!(
        code.unwrap_or_default(),
        ProblemCode::NotFound | ProblemCode::MethodNotAllowed | ProblemCode::Unknown
    )
}

/// The body of a successful response.
///
/// # Errors
/// [`Failure`] for any other response, or if there is none.
pub fn success(result: FetchResult) -> Result<String, Failure> {
    match result {
        Ok(HttpResponse {
            status: 200..=299,
            body,
        }) => Ok(body),
        Ok(HttpResponse { status, body }) => Err(Failure::from_response(status, &body)),
        Err(error) => Err(error.into()),
    }
}

/// Reads the body of a successful response with `parse`.
///
/// # Errors
/// [`Failure`] for any other response, if there is none, or if the body can't be read.
pub fn parsed<T>(
    result: FetchResult,
    parse: impl FnOnce(&str) -> Result<T, RecordError>,
) -> Result<T, Failure> {
    Ok(parse(&success(result)?)?)
}

impl From<TransportError> for Failure {
    fn from(error: TransportError) -> Self {
        match error {
            TransportError::TimedOut => {
                Self::new(FailureCode::Timeout, "the proxy did not answer in time")
            }
            TransportError::Unreachable(reason) => Self::new(
                FailureCode::Unreachable,
                format!(
                    "the proxy can't be reached, or does not allow this page's origin: {reason}"
                ),
            ),
        }
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        Self::new(FailureCode::AnswerUnreadable, error.to_string())
    }
}
