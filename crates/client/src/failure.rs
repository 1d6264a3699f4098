//! The closed set of what can go wrong.

use tender_protocol::{Problem, ProblemCode};

/// A failure: what programs switch on, and a sentence for the shop's developer. What the buyer
/// reads is the view's own plain sentence for the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What programs switch on.
    pub code: FailureCode,
    /// For the developer's console and the `tender-error` event.
    pub message: String,
}

macro_rules! failure_codes {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal, $retryable:literal;)*) => {
        /// The codes of `tender-error`. The loader adds `load-failed` and `crashed`, which end the
        /// element before or after this code can speak.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum FailureCode {
            $($(#[doc = $doc])* $name,)*
        }

        impl FailureCode {
            /// Every code, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The code as it stands in the event.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// Whether the same step may succeed when it is tried again.
            #[must_use]
            pub fn is_retryable(self) -> bool {
                match self { $(Self::$name => $retryable,)* }
            }
        }
    };
}

failure_codes! {
    /// The attributes make no checkout.
    ConfigInvalid = "config-invalid", false;
    /// The proxy did not answer: no network, no server, or a CORS refusal.
    Unreachable = "unreachable", true;
    /// The answer took too long, or the service's did.
    Timeout = "timeout", true;
    /// The proxy or the payment service failed.
    ServiceFailed = "service-failed", true;
    /// The answer is not what the documentation promises.
    AnswerUnreadable = "answer-unreadable", true;
    /// None of the project's tokens can be offered.
    NoTokens = "no-tokens", true;
    /// The order is not valid for this proxy.
    OrderRefused = "order-refused", false;
    /// The order has expired: the shop's page makes a new one when it is loaded again.
    OrderExpired = "order-expired", false;
    /// The payment of this attempt was cancelled meanwhile, or a later choice took its place: the
    /// next submit is an attempt of its own.
    AttemptEnded = "attempt-ended", false;
    /// The proxy or the payment service refused the request.
    RequestRefused = "request-refused", false;
    /// The created payment record contradicts the request, so it is not shown.
    RecordMismatch = "record-mismatch", false;
}

impl Failure {
    /// A failure with its sentence.
    #[must_use]
    pub fn new(code: FailureCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    /// From an answer that is not a success: the proxy's problem (RFC 9457) where there is one,
    /// else what the HTTP status says.
    #[must_use]
    pub fn from_answer(status: u16, body: &str) -> Self {
        let problem: Option<Problem> = serde_json::from_str(body).ok();
        let code = match problem
            .as_ref()
            .map_or(ProblemCode::Unknown, |problem| problem.code)
        {
            ProblemCode::OrderExpired => FailureCode::OrderExpired,
            ProblemCode::OrderMalformed
            | ProblemCode::OrderTooLong
            | ProblemCode::OrderAlgorithmRefused
            | ProblemCode::OrderKeyUnknown
            | ProblemCode::OrderSignatureInvalid
            | ProblemCode::OrderNotYetValid
            | ProblemCode::OrderInvalid
            | ProblemCode::OrderAmountMismatch
            | ProblemCode::UnsignedOrderRefused => FailureCode::OrderRefused,
            ProblemCode::AttemptEnded => FailureCode::AttemptEnded,
            ProblemCode::ServiceUnreadable => FailureCode::AnswerUnreadable,
            ProblemCode::ServiceRefused => FailureCode::RequestRefused,
            _ => match status {
                408 | 504 => FailureCode::Timeout,
                // Too early, too many, or a twin of this attempt still under way: later it works.
                409 | 425 | 429 | 500.. => FailureCode::ServiceFailed,
                _ => FailureCode::RequestRefused,
            },
        };
        let detail = problem
            .map(|problem| problem.detail)
            .filter(|detail| !detail.is_empty());
        Self::new(
            code,
            detail.unwrap_or_else(|| format!("the proxy answered with HTTP {status}")),
        )
    }
}
