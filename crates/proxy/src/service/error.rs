//! Why the payment service gave no answer that can be used.

use std::fmt::Write as _;
use std::time::Duration;

use reqwest::StatusCode;
use tender_protocol::{ProblemCode, RecordError};

/// A call that brought nothing. Its text is for the log, never for a buyer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServiceError {
    /// It failed several times in a row and is left alone, for this long yet: nothing was sent.
    #[error("the service is left alone for {0:?}")]
    CircuitOpen(Duration),
    /// As many payments are being created as may be: nothing was sent.
    #[error("too many payments are being created")]
    Busy,
    /// No connection, so nothing was sent.
    #[error("can't connect to the service: {0}")]
    Unreachable(String),
    /// Its time was over before it was sent.
    #[error("the request was not sent in time")]
    NotSent,
    /// No answer in time.
    #[error("no answer of the service in time: {0}")]
    Timeout(String),
    /// The connection broke before the answer was complete.
    #[error("the connection to the service broke: {0}")]
    ConnectionLost(String),
    /// A 4xx answer.
    #[error("the service refused the request: {0}")]
    Refused(StatusCode),
    /// Any other answer that is not 2xx. Redirects are among them: they are not followed.
    #[error("the service answered {0}")]
    Failed(StatusCode),
    /// A 2xx answer that is not as documented.
    #[error("the service's answer can't be read: {0}")]
    Unreadable(#[from] RecordError),
    /// A 2xx answer over the bound.
    #[error("the service's answer is longer than {0} bytes")]
    TooLong(usize),
    /// A 2xx answer that is not text.
    #[error("the service's answer is not UTF-8")]
    NotText,
    /// The proxy stopped before the service answered.
    #[error("the call was abandoned")]
    Abandoned,
}

impl ServiceError {
    /// Whether the service certainly did nothing: it was never asked, or it said no.
    ///
    /// Its errors are not documented. Only a 4xx is taken for a refusal: a 5xx may come from a
    /// gateway before a service that did its work.
    pub(crate) fn nothing_happened(&self) -> bool {
        matches!(
            self,
            Self::CircuitOpen(_)
                | Self::Busy
                | Self::Unreachable(_)
                | Self::NotSent
                | Self::Refused(_)
        )
    }

    /// Whether the service was there: it understood the request and answered it, for good or for bad.
    pub(super) fn is_service_up(&self) -> bool {
        match self {
            Self::Failed(status) => !status.is_server_error(),
            Self::Refused(_) | Self::Unreadable(_) | Self::TooLong(_) | Self::NotText => true,
            _ => false,
        }
    }

    /// Whether the next try may bring more, and soon. One that ran out of time took long enough.
    pub(super) fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::ConnectionLost(_) => true,
            Self::Failed(status) => status.is_server_error(),
            _ => false,
        }
    }

    /// When to ask again.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::CircuitOpen(time) => Some(*time),
            Self::Busy => Some(Duration::from_secs(1)),
            _ => None,
        }
    }

    /// Whether the service has no such page: it says no, and not because of who asks, how often or when.
    pub(crate) fn is_past_the_end(&self) -> bool {
        let other = [401, 403, 407, 408, 425, 429];
        matches!(self, Self::Refused(status) if !other.contains(&status.as_u16()))
    }

    pub(crate) fn code(&self) -> ProblemCode {
        match self {
            Self::CircuitOpen(_) => ProblemCode::ServiceUnavailable,
            Self::Busy => ProblemCode::Overloaded,
            Self::Unreachable(_) | Self::NotSent | Self::ConnectionLost(_) | Self::Abandoned => {
                ProblemCode::ServiceUnreachable
            }
            Self::Timeout(_) => ProblemCode::ServiceTimeout,
            Self::Refused(_) => ProblemCode::ServiceRefused,
            Self::Failed(_) => ProblemCode::ServiceFailed,
            Self::Unreadable(_) | Self::TooLong(_) | Self::NotText => {
                ProblemCode::ServiceUnreadable
            }
        }
    }
}

impl From<reqwest::Error> for ServiceError {
    fn from(error: reqwest::Error) -> Self {
        let (connect, timeout) = (error.is_connect(), error.is_timeout());
        let causes = causes(&error.without_url());
        match (connect, timeout) {
            (true, _) => Self::Unreachable(causes),
            (false, true) => Self::Timeout(causes),
            (false, false) => Self::ConnectionLost(causes),
        }
    }
}

/// An error and its causes, in one line.
pub(crate) fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        // Writing to a string can't fail.
        let _ = write!(text, ": {cause}");
        source = cause.source();
    }
    text
}
