//! A polled or streamed record that contradicts the payment is not taken for it.

use tender_checkout_core::{
    Cancelling, FailureCode, FormEvent, LatestRecord, PaymentEvent, Phase, Polling,
};

use crate::support::{
    Checkout, HASH, RECEIPT, config, key, ok, payment_of, payment_record, payment_record_in, text,
    wallet_of,
};

/// Records of another payment under the same id.
const OTHER: [(&str, &str); 7] = [
    ("wallet", r#""TJRabPrwbZy45sbavfcjinPJC18kjpRTv8""#),
    ("quantityPay", "95.12345679"),
    ("quantity", "25.51"),
    ("paymentToken", r#""BTC""#),
    ("token", r#""BTC""#),
    ("token", r#""USDTE""#),
    ("invoiceNumber", r#""INV-1043""#),
];

/// The record with another status and this field.
fn changed(field: (&str, &str)) -> String {
    let status = [("statusText", r#""Seen""#), ("state", r#""paid""#)];
    payment_record(&[&status[..], &[field]].concat())
}

/// The checkout after it has polled this record.
fn polled(record: String) -> Checkout {
    let mut checkout = Checkout::awaiting();
    checkout.poll(ok(record));
    checkout
}

#[test]
fn it_changes_nothing_of_the_payment_and_ends_the_request_for_money() {
    for field in OTHER {
        let mut streamed = Checkout::awaiting();
        streamed.receive(changed(field));
        for checkout in [polled(changed(field)), streamed] {
            let before = Checkout::awaiting();
            let now = checkout.payment();
            assert_eq!(now.record, before.payment().record, "{field:?}");
            assert_eq!(now.facts.latest, LatestRecord::Contradictory, "{field:?}");
            assert!(!now.asks_for_money() && now.may_be_paid() && !now.may_change());
            assert_eq!(
                checkout.errors(),
                [FailureCode::RecordMismatch],
                "{field:?}"
            );
            assert!(checkout.stream.is_some(), "it is still followed");
        }
    }
}

#[test]
fn it_is_reported_once_until_a_record_agrees_again() {
    let mut checkout = polled(changed(OTHER[0]));
    checkout.receive(changed(OTHER[1]));
    assert_eq!(checkout.errors().len(), 1);
    checkout.receive(payment_record(&[]));
    assert!(checkout.payment().asks_for_money());
    checkout.receive(changed(OTHER[1]));
    assert_eq!(checkout.errors().len(), 2);
    // The payment can be cancelled: this needs only its id.
    checkout.on(PaymentEvent::CancelRequested);
    assert_eq!(checkout.payment().cancelling, Cancelling::Confirming);
}

#[test]
fn it_survives_a_reload() {
    let checkout = polled(changed(OTHER[0]));
    let (mut next, _) = checkout.reload();
    assert!(!next.payment().asks_for_money());
    next.fetch(ok(payment_record(&[])));
    assert!(next.payment().asks_for_money());
}

/// A list may write the same values in other forms, or leave them out.
#[test]
fn other_forms_of_the_same_values_are_no_contradiction() {
    for field in [
        ("wallet", r#"" THr4fK3aoPRZHc5ZxKY1GSb2Jf6UtpeLmp\n""#),
        ("wallet", "null"),
        ("quantityPay", "95.123456780"),
        ("quantityPay", r#""95.12345678""#),
        ("quantityPay", "null"),
        ("quantity", "25.5"),
        ("paymentToken", r#""trx""#),
        ("token", r#""USDT""#),
        ("token", r#""Tether""#),
        ("invoiceNumber", r#"" inv-1042 ""#),
        ("invoiceNumber", "null"),
        ("createdAt", "null"),
    ] {
        let seen = [
            ("statusId", r#""7""#),
            ("statusText", r#""Seen""#),
            ("x", "0"),
        ];
        let checkout = polled(payment_record(&[&seen[..], &[field]].concat()));
        assert_eq!(checkout.payment().record.status.text(), "Seen", "{field:?}");
        assert!(checkout.errors().is_empty(), "{field:?}");
    }
}

#[test]
fn an_invoice_number_may_be_cut_and_an_amount_rounded() {
    let long = text("ORDER-2026-11-22-000001");
    let mut checkout = Checkout::choosing(config(&[
        ("invoice-number", "ORDER-2026-11-22-000001"),
        ("quantity", "25.123456785"),
        ("payment-token", "trx"),
    ]));
    checkout.submit("first").unwrap();
    let record = |invoice: &str, quantity: &str| {
        payment_record(&[("invoiceNumber", invoice), ("quantity", quantity), RECEIPT])
    };
    let created = FormEvent::CreateFinished(key("first"), ok(record(&long, "25.123456785")));
    checkout.on(created);
    checkout.payment();
    checkout.receive(record(r#""ORDER-2026-11-22-00""#, "25.12345679"));
    assert!(checkout.payment().asks_for_money());
    checkout.receive(record(r#""ORDER-2026""#, "25.12345679"));
    assert!(!checkout.payment().asks_for_money());
}

/// An address that begins with 0x may be written in another case.
#[test]
fn the_case_of_an_address_counts_only_where_it_distinguishes_addresses() {
    let follow = |token: &str, wallet: &str| {
        let mut checkout = Checkout::awaiting();
        let mut awaiting = payment_of(token, "null", "0.5", wallet_of(token));
        awaiting.following.polling = Polling::Requesting(0);
        checkout.state.phase = Phase::Awaiting(Box::new(awaiting));
        let fields = [("quantityPay", "0.5"), ("wallet", &*text(wallet))];
        let record = payment_record_in(token, &fields);
        checkout.fetch(ok(record));
        checkout.payment().facts.latest
    };
    let lower = |token: &str| wallet_of(token).to_lowercase();
    assert_eq!(follow("bnb", &lower("bnb")), LatestRecord::Consistent);
    assert_eq!(follow("trx", &lower("trx")), LatestRecord::Contradictory);
}

/// A known transaction is kept.
#[test]
fn a_payment_that_was_sent_stays_sent() {
    let mut checkout = Checkout::awaiting();
    checkout.on(PaymentEvent::HashEntered(HASH.to_owned()));
    checkout.receive(changed(OTHER[0]));
    assert_eq!(checkout.payment().transaction().unwrap().as_str(), HASH);
    assert_eq!(checkout.errors(), [FailureCode::RecordMismatch]);
}
