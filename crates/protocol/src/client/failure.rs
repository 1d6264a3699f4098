//! Failures and their codes.

use std::error::Error;
use std::fmt::Write as _;

use crate::{Problem, ProblemCode};

/// A failure: a code for programs, and a message for the shop's developer. The buyer sees the view's own text for the
/// code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The code for programs.
    pub code: FailureCode,
    /// The message for the console and the `tender-error` event.
    pub message: String,
}

macro_rules! failure_codes {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal, $retryable:literal;)*) => {
        /// The codes of `tender-error`. The loader adds `load-failed` and `crashed`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum FailureCode {
            $($(#[doc = $doc])* $name,)*
        }

        impl FailureCode {
            /// All codes, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The code as text.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// Whether a retry may succeed.
            pub fn is_retryable(self) -> bool {
                match self { $(Self::$name => $retryable,)* }
            }
        }
    };
}

failure_codes! {
    /// The attributes are invalid.
    ConfigInvalid = "config-invalid", false;
    /// The proxy can't be reached, or does not allow the page's origin.
    Unreachable = "unreachable", true;
    /// The response took too long.
    Timeout = "timeout", true;
    /// The proxy or the payment service failed.
    ServiceFailed = "service-failed", true;
    /// The response does not match the documentation.
    AnswerUnreadable = "answer-unreadable", true;
    /// None of the project's tokens can be offered.
    NoTokens = "no-tokens", true;
    /// The proxy rejected the order.
    OrderRefused = "order-refused", false;
    /// The order has expired. Reloading the shop's page provides a new one.
    OrderExpired = "order-expired", false;
    /// The payment of this attempt was cancelled or replaced. The next submit is a new attempt.
    AttemptEnded = "attempt-ended", false;
    /// The order may be paid: its payment has another status, money may have been sent for it, or the service's list may hold
    /// it. No other payment is created.
    MayBePaid = "may-be-paid", false;
    /// The order has an open payment, which another tab or device has created.
    PaymentOpen = "payment-open", false;
    /// It is not certain that an earlier payment of the order was cancelled. No other payment is created.
    EarlierPaymentOpen = "earlier-payment-open", true;
    /// The proxy or the payment service rejected the request.
    RequestRefused = "request-refused", false;
    /// The created payment record contradicts the request, so it is not shown.
    RecordMismatch = "record-mismatch", false;
}

impl Failure {
    /// A failure with a message.
    pub fn new(code: FailureCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    /// A failure from an unsuccessful response: from the proxy's problem (RFC 9457) if there is one, otherwise from the
    /// HTTP status.
    pub fn from_response(status: u16, body: &str) -> Self {
        let problem: Option<Problem> = Problem::parse(body).ok();
        let code = problem
            .as_ref()
            .map_or(ProblemCode::Unknown, |problem| problem.code);
        let code = code.failure().unwrap_or_else(|| of_status(status));
        let detail = problem
            .map(|problem| problem.detail)
            .filter(|detail| !detail.is_empty());
        Self::new(
            code,
            detail.unwrap_or_else(|| format!("the proxy answered with HTTP {status}")),
        )
    }
}

/// The code for a response without a known problem.
fn of_status(status: u16) -> FailureCode {
    match status {
        408 | 504 => FailureCode::Timeout,
        // Too early, too many requests, or the same attempt is in progress: a retry may succeed.
        409 | 425 | 429 | 500.. => FailureCode::ServiceFailed,
        _ => FailureCode::RequestRefused,
    }
}

/// The messages of an error and its causes, in one line.
pub fn causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        // Writing to a string can't fail.
        let _ = write!(text, ": {cause}");
        source = cause.source();
    }
    text
}
