//! Failures from unsuccessful responses.

use proptest::prelude::*;
use tender_checkout_core::{Failure, FailureCode};
use tender_protocol::ProblemCode;

const HTML: &str = "<!doctype html><title>502 Bad Gateway</title><h1>nginx</h1>";

/// Responses as the proxy writes them.
fn problem(code: ProblemCode) -> (u16, String) {
    let (status, name, title) = (code.status(), code.as_str(), code.title());
    let body = format!(
        r#"{{"type":"about:blank","title":"{title}","status":{status},"detail":"Why {name}.","code":"{name}"}}"#
    );
    (status, body)
}

fn expected(code: ProblemCode) -> FailureCode {
    use ProblemCode as P;
    match code {
        P::OrderExpired => FailureCode::OrderExpired,
        P::OrderMalformed
        | P::OrderTooLong
        | P::OrderAlgorithmRefused
        | P::OrderKeyUnknown
        | P::OrderSignatureInvalid
        | P::OrderNotYetValid
        | P::OrderInvalid
        | P::OrderAmountMismatch
        | P::UnsignedOrderRefused => FailureCode::OrderRefused,
        P::OriginRefused => FailureCode::Unreachable,
        P::ServiceTimeout | P::RequestTimeout => FailureCode::Timeout,
        P::AttemptEnded | P::CancelBegun => FailureCode::AttemptEnded,
        P::PaymentUnidentified | P::PaymentProgressed | P::PaymentSent => FailureCode::MayBePaid,
        P::PaymentOpen => FailureCode::PaymentOpen,
        P::EarlierPaymentOpen | P::CancelUnconfirmed => FailureCode::EarlierPaymentOpen,
        P::ServiceUnreadable => FailureCode::AnswerUnreadable,
        P::PaymentContradictory => FailureCode::RecordMismatch,
        P::AttemptInProgress
        | P::ServiceFailed
        | P::ServiceUnreachable
        | P::Overloaded
        | P::Stopping
        | P::TooManyRequests
        | P::StreamsFull
        | P::DatabaseUnavailable
        | P::Internal
        | P::Unknown => FailureCode::ServiceFailed,
        P::ServiceRefused
        | P::InvalidRequest
        | P::UnsupportedMediaType
        | P::PayloadTooLarge
        | P::TokenNotAccepted
        | P::CredentialsMissing
        | P::CredentialsInvalid
        | P::AttemptMismatch
        | P::PaymentUnknown
        | P::NotFound
        | P::MethodNotAllowed => FailureCode::RequestRefused,
    }
}

#[test]
fn each_problem_code_has_its_failure_and_keeps_its_detail() {
    for code in ProblemCode::ALL {
        let (status, body) = problem(*code);
        let failure = Failure::from_response(status, &body);
        assert_eq!(failure.code, expected(*code), "{code:?}");
        assert_eq!(failure.message, format!("Why {}.", code.as_str()));
    }
}

#[test]
fn without_a_problem_the_http_status_decides() {
    let bodies = [
        "",
        " ",
        HTML,
        "null",
        "[]",
        "{}",
        r#""oops""#,
        r#"{"error":"no"}"#,
        "{",
    ];
    for status in 300..=599 {
        let code = match status {
            408 | 504 => FailureCode::Timeout,
            409 | 425 | 429 | 500.. => FailureCode::ServiceFailed,
            _ => FailureCode::RequestRefused,
        };
        for body in bodies {
            let failure = Failure::from_response(status, body);
            assert_eq!(failure.code, code, "{status} {body}");
            let said = format!("the proxy answered with HTTP {status}");
            assert_eq!(failure.message, said, "{status} {body}");
        }
    }
}

#[test]
fn an_unknown_problem_code_is_judged_by_its_status() {
    let body = r#"{"code":"moon-phase","detail":"Not tonight."}"#;
    let failure = Failure::from_response(503, body);
    assert_eq!(failure.code, FailureCode::ServiceFailed);
    assert_eq!(failure.message, "Not tonight.");
    let failure = Failure::from_response(418, body);
    assert_eq!(failure.code, FailureCode::RequestRefused);
}

#[test]
fn codes_are_a_closed_set() {
    let codes = [
        ("config-invalid", false),
        ("unreachable", true),
        ("timeout", true),
        ("service-failed", true),
        ("answer-unreadable", true),
        ("no-tokens", true),
        ("order-refused", false),
        ("order-expired", false),
        ("attempt-ended", false),
        ("may-be-paid", false),
        ("payment-open", false),
        ("earlier-payment-open", true),
        ("request-refused", false),
        ("record-mismatch", false),
    ];
    let all: Vec<_> = FailureCode::ALL
        .iter()
        .map(|code| (code.as_str(), code.is_retryable()))
        .collect();
    assert_eq!(all, codes);
}

proptest! {
    #[test]
    fn any_response_is_a_failure_with_a_message(status: u16, body: String) {
        let failure = Failure::from_response(status, &body);
        prop_assert!(!failure.message.is_empty());
    }
}
