//! What came of a request to the proxy.

use tender_protocol::RecordError;

use crate::failure::{Failure, FailureCode};

/// An HTTP answer, whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpResponse {
    /// The HTTP status.
    pub status: u16,
    /// The body, as text.
    pub body: String,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransportError {
    /// The request could not be made, or its answer was lost.
    Unreachable(String),
    /// No answer within the time that a buyer waits.
    TimedOut,
}

/// What became of a request.
pub type FetchResult = Result<HttpResponse, TransportError>;

/// Whether the answer says that the proxy does not have this route.
#[must_use]
pub fn is_absent(answered: &FetchResult) -> bool {
    matches!(
        answered,
        Ok(HttpResponse {
            status: 404 | 405 | 501,
            ..
        })
    )
}

/// The body of an answer that is a success.
///
/// # Errors
/// [`Failure`] for any other answer, and where there is none.
pub fn success(answered: FetchResult) -> Result<String, Failure> {
    match answered {
        Ok(HttpResponse {
            status: 200..=299,
            body,
        }) => Ok(body),
        Ok(HttpResponse { status, body }) => Err(Failure::from_answer(status, &body)),
        Err(unanswered) => Err(unanswered.into()),
    }
}

impl From<TransportError> for Failure {
    fn from(unanswered: TransportError) -> Self {
        match unanswered {
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
