//! Payment records: unusual but legal records are read; for the others, the error names the field.
#![allow(clippy::unwrap_used, reason = "a helper of a test may stop it too")]

mod support;

use proptest::prelude::*;
use serde_json::value::RawValue;
use support::{changed, emptied};
use tender_protocol::{Amount, Payment, PaymentState, RecordError, Status};

const DOCUMENTED: &str = r#"{
    "transactionId": "7f8b0c9e-54a1-4a4b-9b7a-0c1d2e3f4a5b",
    "token": "USDT",
    "paymentToken": "BTC",
    "quantity": 1.10000000,
    "quantityPay": 0.00001742,
    "priceUsd": 1.1,
    "purchaseEmail": "ann@example.com",
    "purchaseName": "Ann",
    "invoiceNumber": "INV-1042",
    "itemNumber": "3",
    "statusId": "1",
    "statusText": "Created",
    "wallet": "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
    "createdAt": "2026/01/31"
}"#;

fn amount(text: &str) -> Amount {
    text.parse().unwrap()
}

fn documented() -> Payment {
    Payment {
        transaction_id: "7f8b0c9e-54a1-4a4b-9b7a-0c1d2e3f4a5b".to_owned(),
        token: "USDT".to_owned(),
        payment_token: "BTC".to_owned(),
        quantity: amount("1.10000000"),
        quantity_pay: amount("0.00001742"),
        price_usd: Some(amount("1.1")),
        purchase_email: Some("ann@example.com".to_owned()),
        purchase_name: Some("Ann".to_owned()),
        invoice_number: Some("INV-1042".to_owned()),
        item_number: Some("3".to_owned()),
        status: Status::Created,
        wallet: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq".to_owned(),
        created_at: Some("2026/01/31".to_owned()),
        state: None,
        test_mode: false,
    }
}

fn with(changes: &str) -> Result<Payment, RecordError> {
    Payment::parse(&changed(DOCUMENTED, changes))
}

#[test]
fn the_documented_record_is_read_and_written() {
    let payment = Payment::parse(DOCUMENTED).unwrap();
    assert_eq!(payment, documented());
    assert_eq!(
        serde_json::from_str::<Payment>(DOCUMENTED).unwrap(),
        payment
    );
    let written = serde_json::to_string(&payment).unwrap();
    let names_and_digits = DOCUMENTED.replace(['\n', ' '], "");
    assert_eq!(written, names_and_digits);
}

#[test]
fn the_state_is_one_of_six_words_and_nothing_else_is_interpreted() {
    for (word, state) in [
        ("open", PaymentState::Open),
        ("pending", PaymentState::Pending),
        ("underpaid", PaymentState::Underpaid),
        ("paid", PaymentState::Paid),
        ("closed", PaymentState::Closed),
        ("unknown", PaymentState::Unknown),
    ] {
        let payment = with(&format!(r#"{{"state":"{word}"}}"#)).unwrap();
        assert_eq!((payment.state, state.as_str()), (Some(state), word));
        let written = serde_json::to_string(&payment).unwrap();
        assert!(
            written.ends_with(&format!(r#","state":"{word}"}}"#)),
            "{written}"
        );
        assert_eq!(Payment::parse(&written), Ok(payment));
    }
    for other in [
        r#""Paid""#,
        r#""""#,
        "null",
        "1",
        "true",
        r#"{"paid":1}"#,
        r#"["paid"]"#,
    ] {
        let payment = with(&format!(r#"{{"state":{other}}}"#));
        assert_eq!(payment, Ok(documented()), "{other}");
    }
}

#[test]
fn an_empty_optional_field_reads_as_none() {
    type Clear = fn(&mut Payment);
    let optional: [(&str, Clear); 6] = [
        ("priceUsd", |payment| payment.price_usd = None),
        ("purchaseEmail", |payment| payment.purchase_email = None),
        ("purchaseName", |payment| payment.purchase_name = None),
        ("invoiceNumber", |payment| payment.invoice_number = None),
        ("itemNumber", |payment| payment.item_number = None),
        ("createdAt", |payment| payment.created_at = None),
    ];
    for (field, clear) in optional {
        let mut expected = documented();
        clear(&mut expected);
        for json in emptied(DOCUMENTED, field) {
            assert_eq!(Payment::parse(&json).as_ref(), Ok(&expected), "{json}");
        }
    }
}

#[test]
fn an_odd_but_legal_answer_reads_as_the_plain_one() {
    let cases = [
        (r#"{"quantity": "1.1"}"#, "{}"),
        (
            r#"{"quantity": "\u0031.10 ", "quantityPay": " 0.00001742"}"#,
            "{}",
        ),
        (r#"{"quantity": 11E-1, "quantityPay": 1742e-8}"#, "{}"),
        (r#"{"priceUsd": "1.100"}"#, "{}"),
        (r#"{"statusId": 1}"#, "{}"),
        (r#"{"itemNumber": 0}"#, r#"{"itemNumber": "0"}"#),
        (r#"{"invoiceNumber": 1042}"#, r#"{"invoiceNumber": "1042"}"#),
        (r#"{"transactionId": 17}"#, r#"{"transactionId": "17"}"#),
        (r#"{"wallet": " TN3W4H6r\n"}"#, r#"{"wallet": "TN3W4H6r"}"#),
        (
            r#"{"purchaseName": "\u041e\u043b\u044f"}"#,
            r#"{"purchaseName": "Оля"}"#,
        ),
        (
            r#"{"priceEur": 1e400, "links": {"self": [null, {"a": 1.0}]}}"#,
            "{}",
        ),
    ];
    for (odd, plain) in cases {
        assert_eq!(with(odd), Ok(with(plain).unwrap()), "{odd}");
    }
}

/// The invoice number is compared with the one that was sent.
#[test]
fn what_the_merchant_and_the_buyer_wrote_is_not_trimmed() {
    let payment = with(r#"{"invoiceNumber": " INV 7 ", "purchaseName": "Ann\n"}"#).unwrap();
    assert_eq!(payment.invoice_number.as_deref(), Some(" INV 7 "));
    assert_eq!(payment.purchase_name.as_deref(), Some("Ann\n"));
}

#[test]
fn only_the_documented_status_is_known() {
    let cases = [
        (r#"{"statusId": "1", "statusText": ""}"#, Status::Created),
        (r#"{"statusId": "1", "statusText": null}"#, Status::Created),
        (
            r#"{"statusId": "1", "statusText": "Paid"}"#,
            other("1", "Paid"),
        ),
        (
            r#"{"statusId": "2", "statusText": "Created"}"#,
            other("2", "Created"),
        ),
        (
            r#"{"statusId": 2, "statusText": "Paid"}"#,
            other("2", "Paid"),
        ),
        (r#"{"statusId": "7", "statusText": ""}"#, other("7", "7")),
        (
            r#"{"statusId": "", "statusText": "Created"}"#,
            other("", "Created"),
        ),
        (
            r#"{"statusId": null, "statusText": "Expired"}"#,
            other("", "Expired"),
        ),
    ];
    for (status, expected) in cases {
        assert_eq!(with(status).unwrap().status, expected, "{status}");
    }
}

fn other(id: &str, text: &str) -> Status {
    let (id, text) = (id.to_owned(), text.to_owned());
    Status::Other { id, text }
}

#[test]
fn a_required_field_that_is_empty_is_named() {
    let without_text = changed(DOCUMENTED, r#"{"statusText": null}"#);
    for field in [
        "transactionId",
        "token",
        "paymentToken",
        "quantity",
        "quantityPay",
        "wallet",
        "statusId",
    ] {
        for json in emptied(&without_text, field) {
            let error = Payment::parse(&json).unwrap_err();
            let record = "payment";
            assert_eq!(error, RecordError::Missing { record, field }, "{json}");
            assert_eq!(
                error.to_string(),
                format!("the payment record has no `{field}`")
            );
        }
    }
}

#[test]
fn a_field_of_another_type_is_named() {
    let record: std::collections::BTreeMap<&str, serde_json::Value> =
        serde_json::from_str(DOCUMENTED).unwrap();
    assert_eq!(record.len(), 14);
    for field in record.keys() {
        for value in ["true", "false", "[]", r#"["x"]"#, "{}", r#""\ud800""#] {
            let error = with(&format!("{{{field:?}: {value}}}")).unwrap_err();
            assert!(
                matches!(error, RecordError::Invalid { .. }),
                "{value}: {error:?}"
            );
            let start = format!("the payment record's `{field}` is not as documented: ");
            assert!(error.to_string().starts_with(&start), "{value}: {error}");
        }
    }
}

/// The tests of `Record` have further texts.
#[test]
fn an_answer_of_another_shape_is_refused() {
    for answer in ["", "null", "<html>502</html>", &format!("[{DOCUMENTED}]")] {
        let error = Payment::parse(answer).unwrap_err().to_string();
        let start = "this is not a payment record: ";
        assert!(error.starts_with(start), "{answer}: {error}");
    }
}

/// The fields of the documented record, as they are written.
fn fields() -> Vec<(String, String)> {
    let fields: std::collections::BTreeMap<String, &RawValue> =
        serde_json::from_str(DOCUMENTED).unwrap();
    let fields = fields.into_iter();
    fields
        .map(|(name, value)| (name, value.get().to_owned()))
        .collect()
}

fn record_of(fields: &[(String, String)]) -> String {
    let fields = fields.iter();
    let fields: Vec<_> = fields
        .map(|(name, value)| format!("{name:?}: {value}"))
        .collect();
    format!("{{{}}}", fields.join(", "))
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        r"-?(0|[1-9][0-9]{0,40})(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,10})?",
        r#""([a-z0-9. ]|\\u[0-9a-f]{4}|\\n)*""#,
        r"null|true|false|\[ *\]|\{ *\}|\[1, ?null\]",
    ]
}

proptest! {
    /// Neither the order of the fields matters, nor unknown fields, nor earlier fields of the same name.
    #[test]
    fn a_record_reads_the_same_however_it_is_written(
        fields in Just(fields()).prop_shuffle(),
        replaced in prop::collection::vec((any::<prop::sample::Index>(), value()), 0..4),
        unknown in prop::collection::vec((any::<prop::sample::Index>(), "x[a-zA-Z]{0,8}", value()), 0..4),
    ) {
        let mut written = fields.clone();
        for (index, value) in replaced {
            let (name, _) = index.get(&fields);
            written.insert(0, (name.clone(), value));
        }
        for (index, name, value) in unknown {
            written.insert(index.index(written.len() + 1), (name, value));
        }
        prop_assert_eq!(Payment::parse(&record_of(&written)), Ok(documented()));
    }
}

#[test]
fn a_record_of_very_many_fields_is_read() {
    let many: Vec<_> = (0..200_000)
        .map(|number| format!(r#""x{number}": {number}"#))
        .collect();
    let json = DOCUMENTED.replacen('{', &format!("{{{}, ", many.join(", ")), 1);
    assert_eq!(Payment::parse(&json), Ok(documented()));
}
