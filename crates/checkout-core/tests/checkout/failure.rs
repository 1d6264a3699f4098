//! Failures from unsuccessful responses.

use tender_checkout_core::{Failure, FailureCode};
use tender_protocol::{Problem, ProblemCode};

const HTML: &str = "<!doctype html><title>502 Bad Gateway</title><h1>nginx</h1>";

/// The failure of each problem code.
const FAILURES: [(FailureCode, &str); 11] = [
    (FailureCode::OrderExpired, "order-expired"),
    (
        FailureCode::OrderRefused,
        "order-malformed order-too-long order-algorithm-refused order-key-unknown order-signature-invalid \
         order-not-yet-valid order-invalid order-amount-mismatch unsigned-order-refused",
    ),
    (FailureCode::Unreachable, "origin-refused"),
    (FailureCode::Timeout, "service-timeout request-timeout"),
    (FailureCode::AttemptEnded, "attempt-ended cancel-begun"),
    (
        FailureCode::MayBePaid,
        "payment-unidentified payment-progressed payment-sent",
    ),
    (FailureCode::PaymentOpen, "payment-open"),
    (
        FailureCode::EarlierPaymentOpen,
        "earlier-payment-open cancel-unconfirmed",
    ),
    (FailureCode::AnswerUnreadable, "service-unreadable"),
    (FailureCode::RecordMismatch, "payment-contradictory"),
    (
        FailureCode::ServiceFailed,
        "attempt-in-progress service-failed service-unreachable overloaded stopping too-many-requests \
         streams-full database-unavailable internal",
    ),
];

#[test]
fn each_problem_code_has_its_failure_and_keeps_its_detail() {
    for code in ProblemCode::ALL {
        let is_of = |(_, codes): &&(_, &str)| codes.split(' ').any(|name| name == code.as_str());
        // Every other problem is a refusal of the request.
        let listed = FAILURES.iter().find(is_of).map(|(failure, _)| *failure);
        let expected = listed.unwrap_or(FailureCode::RequestRefused);
        let detail = format!("Why {}.", code.as_str());
        let body = serde_json::to_string(&Problem::of(*code, detail.clone())).unwrap();
        let failure = Failure::from_response(code.status(), &body);
        assert_eq!(failure, Failure::new(expected, detail), "{code:?}");
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
