//! Reads the proxy's responses into records, or a failure.

use tender_checkout_core::response::{cancelled, created, is_route_missing, status, tokens};
use tender_checkout_core::{Failure, FailureCode, FetchResult, TransportError};
use tender_protocol::PaymentState;

use crate::support::{answer, listing, lost, ok, payment_record, with_status};

const HTML: &str = "<!doctype html><title>Sign in to the hotel network</title>";

/// The result of each kind of request for a response.
fn readers() -> [fn(FetchResult) -> Option<Failure>; 4] {
    [
        |answered| tokens(answered).err(),
        |answered| created(answered).err(),
        |answered| cancelled(answered, "p-1").err(),
        |answered| status(answered).err(),
    ]
}

#[test]
fn a_transport_error_is_a_failure_with_its_reason() {
    for read in readers() {
        let failure = read(lost()).unwrap();
        assert_eq!(failure.code, FailureCode::Unreachable);
        assert!(
            failure.message.contains("Failed to fetch"),
            "{}",
            failure.message
        );
        let failure = read(Err(TransportError::TimedOut)).unwrap();
        assert_eq!(failure.code, FailureCode::Timeout);
    }
}

#[test]
fn a_success_with_another_body_is_unreadable() {
    for read in readers() {
        for body in ["", HTML, "null", "42", r#"{"ok":true"#, r#""p-1""#] {
            for code in [200, 201, 204, 299] {
                let failure = read(answer(code, body)).unwrap();
                assert_eq!(failure.code, FailureCode::AnswerUnreadable, "{code} {body}");
            }
        }
    }
}

#[test]
fn an_error_status_is_never_read_as_success() {
    let bodies = [
        payment_record(&[]),
        listing(&[]),
        format!("[{}]", payment_record(&[])),
    ];
    for read in readers() {
        for body in &bodies {
            for code in [101, 199, 300, 304, 400, 404, 500] {
                let failure = read(answer(code, body.as_str())).unwrap();
                assert_ne!(failure.code, FailureCode::AnswerUnreadable, "{code} {body}");
            }
        }
    }
}

#[test]
fn a_receipt_that_fits_in_no_header_is_dropped() {
    assert_eq!(created(ok(payment_record(&[]))).unwrap().receipt, None);
    for receipt in [
        "null",
        "7",
        "{}",
        r#""""#,
        r#""a b""#,
        r#""a\nb""#,
        r#""é""#,
    ] {
        let record = payment_record(&[("receipt", receipt)]);
        assert_eq!(created(ok(record)).unwrap().receipt, None, "{receipt}");
    }
}

#[test]
fn a_payment_without_a_required_field_is_a_failure_that_names_it() {
    let failures = ["transactionId", "quantityPay", "wallet"].map(|field| {
        let record = payment_record(&[(field, "null")]);
        (field, created(ok(record)).unwrap_err())
    });
    let later = status(ok(payment_record(&[("transactionId", "null")])));
    for (field, failure) in failures
        .into_iter()
        .chain([("transactionId", later.unwrap_err())])
    {
        assert_eq!(failure.code, FailureCode::AnswerUnreadable);
        assert!(
            failure.message.contains(&format!("`{field}`")),
            "{}",
            failure.message
        );
    }
}

/// The service may list a payment in any form: its end must be seen nevertheless.
#[test]
fn a_later_record_needs_only_its_id() {
    let odd = [
        ("wallet", "null"),
        ("quantityPay", r#""?""#),
        ("statusId", "7"),
        ("statusText", "null"),
        ("state", r#""closed""#),
    ];
    let record = status(ok(payment_record(&odd))).unwrap();
    assert_eq!(record.transaction_id, "p-1");
    assert_eq!(record.status.unwrap().text(), "7");
    assert_eq!(record.state, Some(PaymentState::Closed));
    let empty = status(ok(r#"{"transactionId":"p-1","state":"Paid"}"#)).unwrap();
    assert_eq!((empty.status, empty.state), (None, None));
}

#[test]
fn a_cancel_response_may_contain_the_record() {
    let other = payment_record(&[("transactionId", r#""p-2""#)]);
    let unreadable = r#"{"transactionId":"p-2"}"#;
    let own = with_status("Cancelled");
    for records in [
        own.clone(),
        format!("{other},{own}"),
        format!("{unreadable},{own},{other}"),
    ] {
        let payment = cancelled(ok(format!("[{records}]")), "p-1")
            .unwrap()
            .unwrap();
        assert_eq!(payment.status.unwrap().text(), "Cancelled");
    }
    for records in ["", &other, unreadable, "{}"] {
        assert_eq!(
            cancelled(ok(format!("[{records}]")), "p-1"),
            Ok(None),
            "{records}"
        );
    }
}

#[test]
fn a_cancel_response_that_is_no_list_does_not_prove_the_cancellation() {
    for body in [payment_record(&[]), "{}".to_owned(), "[7]".to_owned()] {
        let failure = cancelled(ok(body.as_str()), "p-1").unwrap_err();
        assert_eq!(failure.code, FailureCode::AnswerUnreadable, "{body}");
    }
}

#[test]
fn a_missing_route_is_404_405_or_501_without_another_problem_code() {
    for code in [404, 405, 501] {
        assert!(is_route_missing(&answer(code, HTML)), "{code}");
    }
    for code in [200, 400, 401, 403, 410, 500, 502] {
        assert!(!is_route_missing(&answer(code, "")), "{code}");
    }
    for code in ["not-found", "method-not-allowed", "unheard-of"] {
        let problem = format!(r#"{{"code":"{code}"}}"#);
        assert!(is_route_missing(&answer(404, problem)), "{code}");
    }
    let problem = r#"{"code":"payment-unknown"}"#;
    assert!(
        !is_route_missing(&answer(404, problem)),
        "the route answered"
    );
    assert!(!is_route_missing(&lost()));
    assert!(!is_route_missing(&Err(TransportError::TimedOut)));
}
