//! Errors of calls to the payment service.

use std::time::Duration;

use reqwest::{Request, StatusCode};
use tender_ledger::proves_refusal;
use tender_protocol::{ProblemCode, RecordError, path};

use super::list::Unread;
use crate::transport::Failure;

/// Why a call failed. The message is only logged and never shown to a buyer.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum ServiceError {
    /// Too many calls to the endpoint are in progress; nothing was sent.
    #[error("too many calls to the service are in progress")]
    Busy,
    /// This payment was to be cancelled too often; nothing was sent.
    #[error("too many requests to cancel this payment; the next one is allowed in {0:?}")]
    TooManyCancels(Duration),
    /// No connection; nothing was sent.
    #[error("can't connect to the service: {0}")]
    Unreachable(String),
    #[error("the request was not sent in time")]
    NotSent,
    #[error("the service did not respond in time: {0}")]
    Timeout(String),
    #[error("the connection to the service broke: {0}")]
    ConnectionLost(String),
    /// A 4xx response.
    #[error("the service refused {call}: {0}{advice}", call = .1.text, advice = setting(*.0, .1))]
    Refused(StatusCode, Box<Call>),
    /// Any other response that is not 2xx. Redirects are not followed.
    #[error("the service responded {0} to {call}{advice}", call = .1.text, advice = setting(*.0, .1))]
    Failed(StatusCode, Box<Call>),
    /// A 2xx response that is not as documented.
    #[error("the service's response can't be read: {0}")]
    Unreadable(#[from] RecordError),
    /// A 2xx response that can't be used for another reason.
    #[error("{0}")]
    Unusable(&'static str),
    #[error("the created payment's `{0}` contradicts the request")]
    Contradictory(&'static str),
    /// A search could not exclude that a payment exists.
    #[error("the list may hold the payment: {0}")]
    Unidentified(String),
    #[error(transparent)]
    Unread(#[from] Unread),
    #[error("the list does not show that the payment is cancelled")]
    Unconfirmed,
    #[error("the call was abandoned")]
    Abandoned,
}

/// A call to the service, for the log.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// Its method, and its address without query.
    text: String,
    /// The setting with the beginning of the address.
    setting: &'static str,
}

impl Call {
    pub(super) fn of(request: &Request) -> Self {
        let mut address = request.url().clone();
        address.set_query(None);
        let is_listing = address.path().ends_with(path::TOKENS);
        Self {
            text: format!("{} {address}", request.method()),
            setting: if is_listing {
                "rates_base_url"
            } else {
                "base_url"
            },
        }
    }
}

/// Which setting may be wrong if a call is answered like this.
fn setting(status: StatusCode, call: &Call) -> String {
    match status.as_u16() {
        401 | 403 | 407 => "; check `upstream_header`, the credentials".to_owned(),
        300..=399 | 404 | 405 | 410 | 421 => format!("; check `{}`", call.setting),
        _ => String::new(),
    }
}

impl ServiceError {
    /// There is no response to this call.
    pub(super) fn unanswered(failure: Failure, call: &Call) -> Self {
        match Self::from(failure) {
            Self::Unreachable(causes) => {
                let Call { text, setting } = call;
                Self::Unreachable(format!("{text}: {causes}; check `{setting}`"))
            }
            other => other,
        }
    }

    /// Whether the service certainly did not execute the request: it was not sent, or the service
    /// refused it.
    ///
    /// The service does not document its errors, and a gateway may respond 5xx, 408 or 499 after the
    /// service has executed the request.
    pub(crate) fn nothing_happened(&self) -> bool {
        match self {
            Self::Busy | Self::TooManyCancels(_) | Self::Unreachable(_) | Self::NotSent => true,
            Self::Refused(status, _) => proves_refusal(status.as_u16()),
            _ => false,
        }
    }

    /// Whether a retry may succeed soon. A timeout is not retried, because it took long enough.
    pub(super) fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::ConnectionLost(_) => true,
            Self::Failed(status, _) => status.is_server_error(),
            _ => false,
        }
    }

    /// When to try again.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::TooManyCancels(time) | Self::Unread(Unread::Recently(time)) => Some(*time),
            Self::Busy => Some(Duration::from_secs(1)),
            _ => None,
        }
    }

    /// Whether the page may be past the end of the list. Client errors about authentication, rate
    /// limits and timeouts don't count.
    pub(crate) fn is_past_the_end(&self) -> bool {
        let other = [401, 403, 407, 408, 425, 429];
        matches!(self, Self::Refused(status, _) if !other.contains(&status.as_u16()))
    }

    pub(crate) fn code(&self) -> ProblemCode {
        match self {
            Self::Busy => ProblemCode::Overloaded,
            Self::TooManyCancels(_) => ProblemCode::TooManyRequests,
            Self::Unreachable(_) | Self::NotSent | Self::ConnectionLost(_) | Self::Abandoned => {
                ProblemCode::ServiceUnreachable
            }
            Self::Timeout(_) => ProblemCode::ServiceTimeout,
            Self::Refused(..) => ProblemCode::ServiceRefused,
            Self::Failed(..) => ProblemCode::ServiceFailed,
            Self::Unreadable(_) | Self::Unusable(_) => ProblemCode::ServiceUnreadable,
            Self::Contradictory(_) => ProblemCode::PaymentContradictory,
            Self::Unidentified(_) | Self::Unread(_) => ProblemCode::PaymentUnidentified,
            Self::Unconfirmed => ProblemCode::CancelUnconfirmed,
        }
    }
}

impl From<Failure> for ServiceError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NoConnection(causes) => Self::Unreachable(causes),
            Failure::Timeout(causes) => Self::Timeout(causes),
            Failure::ConnectionLost(causes) => Self::ConnectionLost(causes),
        }
    }
}
