//! What the proxy knows about payments is read as it was written.

use tender_protocol::ledger::{MAX_ASKED, Reason};
use tender_protocol::{KnownPayment, Ledger, LinkLimits, Reconciling, RecordError};

#[test]
fn it_has_the_documented_names_and_exact_digits_and_reads_as_it_was_written() {
    let known = KnownPayment {
        transaction_id: "t-1".to_owned(),
        attempts: Some(2),
        first_attempt_at: Some("2026-11-21T17:52:36.101Z".to_owned()),
        notified_at: None,
        notifications: 0,
        sent: 0,
    };
    let notified = KnownPayment {
        transaction_id: "t-2".to_owned(),
        attempts: None,
        first_attempt_at: None,
        notified_at: Some("2026-11-21T17:52:37Z".to_owned()),
        notifications: 3,
        sent: 2,
    };
    let creating = Reconciling {
        invoice_number: "INV-1".to_owned(),
        token: "usdtt".to_owned(),
        payment_token: "trx".to_owned(),
        quantity: "25.00".parse().unwrap(),
        transaction_id: None,
        since: "2026-11-21T17:53:01.22Z".to_owned(),
        reason: Reason::CreateUnanswered,
    };
    let cancelling = Reconciling {
        transaction_id: Some("t-2".to_owned()),
        reason: Reason::CancelUnanswered,
        ..creating.clone()
    };
    let ledger = Ledger {
        payments: vec![known, notified],
        reconciling: vec![creating, cancelling],
        more: true,
        test_mode: false,
        unmapped_statuses: vec!["Confirming".to_owned(), "7".to_owned()],
        payment_links: Some(LinkLimits {
            max_quantity: [("usdtt".into(), "500.00".parse().unwrap())].into(),
            max_days: 30,
        }),
    };
    let json = concat!(
        r#"{"payments":[{"transactionId":"t-1","attempts":2,"#,
        r#""firstAttemptAt":"2026-11-21T17:52:36.101Z","notifiedAt":null,"notifications":0},"#,
        r#"{"transactionId":"t-2","notifiedAt":"2026-11-21T17:52:37Z","notifications":3,"sent":2}],"#,
        r#""reconciling":[{"invoiceNumber":"INV-1","token":"usdtt","paymentToken":"trx","#,
        r#""quantity":25.00,"since":"2026-11-21T17:53:01.22Z","reason":"create-unanswered"},"#,
        r#"{"invoiceNumber":"INV-1","token":"usdtt","paymentToken":"trx","quantity":25.00,"#,
        r#""transactionId":"t-2","since":"2026-11-21T17:53:01.22Z","reason":"cancel-unanswered"}],"#,
        r#""more":true,"unmappedStatuses":["Confirming","7"],"paymentLinks":{"maxQuantity":{"usdtt":500.00},"maxDays":30}}"#
    );
    assert_eq!(serde_json::to_string(&ledger).unwrap(), json);
    assert_eq!(Ledger::parse(json), Ok(ledger));
    let nothing = r#"{"payments":[],"reconciling":[],"more":false}"#;
    assert_eq!(Ledger::parse(nothing), Ok(Ledger::default()));
    assert_eq!(MAX_ASKED, 100);
}

#[test]
fn what_a_newer_proxy_adds_does_no_harm() {
    let json = r#"{"new":1,"reconciling":[{"invoiceNumber":null,"token":"a","paymentToken":"b",
        "quantity":"1","since":"x","reason":"lost-in-space","new":[]}],
        "payments":[{"transactionId":"t-1","new":{}}]}"#;
    let ledger = Ledger::parse(json).unwrap();
    assert_eq!(ledger.reconciling[0].reason, Reason::Unknown);
    assert_eq!(ledger.reconciling[0].invoice_number, "");
    assert_eq!(ledger.payments[0].attempts, None);
    assert!(!ledger.more);
}

#[test]
fn an_answer_that_is_something_else_is_refused() {
    let missing = |field| {
        Err(RecordError::Missing {
            record: "ledger",
            field,
        })
    };
    assert_eq!(Ledger::parse("{}"), missing("payments"));
    assert_eq!(Ledger::parse(r#"{"payments":[]}"#), missing("reconciling"));
    let error = Ledger::parse(r#"{"payments":[{}],"reconciling":[]}"#).unwrap_err();
    let names = ["`payments`", "`transactionId`"];
    assert!(
        names.iter().all(|name| error.to_string().contains(name)),
        "{error}"
    );
    for json in ["", "[]", "<html>"] {
        assert!(matches!(
            Ledger::parse(json),
            Err(RecordError::NotJson { .. })
        ));
    }
    for json in [
        r#"{"payments":{},"reconciling":[]}"#,
        r#"{"payments":[7],"reconciling":[]}"#,
        r#"{"payments":[{"transactionId":"t","attempts":-1}],"reconciling":[]}"#,
    ] {
        assert!(matches!(
            Ledger::parse(json),
            Err(RecordError::Invalid { .. })
        ));
    }
}
