//! Tests of the search for a payment whose response was lost: what it recognises with certainty.

use axum::http::StatusCode;
use serde_json::{Value, json};
use tender_protocol::ProblemCode;
use tender_sandbox::Outcome;

use crate::lost_responses::{foreign, lose, on_create};
use crate::support::{World, order, page, paying, plain};

/// A create request for an order with this invoice number.
pub(crate) fn invoice(number: &str) -> Value {
    paying(&order(json!({ "invoiceNumber": number })))
}

/// Records of other orders.
pub(crate) fn others(count: usize) -> Vec<Value> {
    let other = |number| {
        let id = format!("other-{number}");
        foreign(&json!({ "transactionId": id, "invoiceNumber": id }))
    };
    (0..count).map(other).collect()
}

/// Whether a payment that was created elsewhere is found for a request with a lost response; `None`
/// if that is in doubt, and nothing is created.
async fn finds(changed: &Value, body: &Value) -> Option<bool> {
    let payment = foreign(changed);
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    world.inject(on_create(Outcome::DropRequest));
    let lost = world.create_once("key-1", body).await;
    lost.is_refused_as(ProblemCode::ServiceUnreachable);
    world.inject(page(json!([{ "invoiceNumber": "INV-9" }, payment])).once());
    let answer = world.create_once("key-1", body).await;
    if answer.status != StatusCode::OK {
        answer.is_refused_as(ProblemCode::PaymentUnidentified);
        assert_eq!(world.payments().len(), 0);
        return None;
    }
    Some(answer.transaction_id() == "foreign")
}

#[tokio::test]
async fn only_a_matching_payment_is_found() {
    let signed = paying(&order(json!({ "purchaseName": "B" })));
    assert_eq!(
        finds(&json!({ "purchaseName": "B" }), &signed).await,
        Some(true)
    );
    for other in [
        json!({ "invoiceNumber": "INV-2" }),
        json!({ "invoiceNumber": "INV-10" }),
        json!({ "invoiceNumber": null, "createdAt": "2025/12/31" }),
    ] {
        assert_eq!(finds(&other, &signed).await, Some(false), "{other}");
    }
}

/// Nothing is created beside a payment with the order's invoice number.
#[tokio::test]
async fn a_payment_of_the_same_invoice_prevents_another() {
    let signed = paying(&order(json!({})));
    for doubtful in [
        json!({ "purchaseName": "B" }),
        json!({ "invoiceNumber": " inv-1 " }),
        json!({ "statusId": "5", "statusText": "Cancelled" }),
        json!({ "statusId": "5", "statusText": "Cancelled", "invoiceNumber": null }),
        json!({ "quantity": 25.01 }),
        json!({ "token": "USDTE" }),
        json!({ "paymentToken": "BTC" }),
        json!({ "statusId": "2", "statusText": "Paid" }),
        json!({ "statusId": null, "statusText": null }),
        json!({ "wallet": "" }),
        json!({ "wallet": null }),
        json!({ "transactionId": null }),
        json!({ "transactionId": {} }),
        json!({ "invoiceNumber": null }),
        json!({ "invoiceNumber": "" }),
        json!({ "invoiceNumber": { "number": "INV-1" } }),
        json!({ "invoiceNumber": null, "createdAt": "2999/12/31" }),
    ] {
        assert_eq!(finds(&doubtful, &signed).await, None, "{doubtful}");
    }
}

/// The list may round the price, and write tickers instead of codes.
#[tokio::test]
async fn a_payment_is_found_by_what_survives_an_echo() {
    let signed = paying(&order(json!({ "quantity": "25.123456785" })));
    for (token, quantity) in [
        ("USDTT", 25.123_456_78),
        ("USDT", 25.123_456_79),
        ("usdtt", 25.123_456_785),
    ] {
        let changed = json!({ "token": token, "quantity": quantity });
        assert_eq!(finds(&changed, &signed).await, Some(true), "{token}");
    }
}

#[tokio::test]
async fn without_a_signed_order_the_buyer_must_match() {
    let body = plain(json!({ "purchaseEmail": "a@shop.example" }));
    let of_buyer = |changed: Value| {
        let mut record = json!({ "purchaseEmail": "a@shop.example" });
        let changed = changed.as_object().unwrap().clone();
        record.as_object_mut().unwrap().extend(changed);
        record
    };
    assert_eq!(finds(&of_buyer(json!({})), &body).await, Some(true));
    for other in [
        json!({ "purchaseEmail": "b@shop.example" }),
        json!({ "purchaseName": "B" }),
        json!({ "paymentToken": "BTC" }),
        json!({ "quantity": 26 }),
    ] {
        assert_eq!(finds(&of_buyer(other), &body).await, Some(false));
    }
    let paid = json!({ "statusText": "Paid" });
    assert_eq!(finds(&of_buyer(paid), &body).await, None);
}

/// The first order's request never arrived; the second one's payment exists.
#[tokio::test]
async fn a_payment_of_a_similar_invoice_is_not_taken() {
    for [first, second] in [
        ["caseinv-1", "CASEINV-1"],
        ["ws inv 1", "wsinv1"],
        ["LONGPREFIX-11111", "LONGPREFIX-11111-B"],
        ["LONGPREFIX-33333-A", "LONGPREFIX-33333"],
    ] {
        let world = World::new().await;
        let [first, second] = [first, second].map(invoice);
        lose(&world, Outcome::DropRequest, &first).await;
        lose(&world, Outcome::DropAnswer, &second).await;
        let payment = world.transactions().remove(0);
        let early = world.create(&first).await;
        if early.status != StatusCode::OK {
            early.is_refused_as(ProblemCode::PaymentUnidentified);
        }
        assert_eq!(world.create(&second).await.transaction_id(), payment);
        // Now it is known whose payment that is.
        assert_ne!(world.create(&first).await.transaction_id(), payment);
        assert_eq!(world.payments().len(), 2);
    }
}

/// The service cuts the invoice numbers of both orders to the same text.
#[tokio::test]
async fn a_payment_with_a_cut_invoice_of_two_orders_is_not_taken() {
    let world = World::new().await;
    let [first, second] = ["LONGPREFIX-11111-A", "LONGPREFIX-11111-B"].map(invoice);
    for body in [&first, &second] {
        lose(&world, Outcome::DropRequest, body).await;
    }
    let cut = foreign(&json!({ "invoiceNumber": "LONGPREFIX-11111" }));
    for body in [&first, &second] {
        world.inject(page(json!([cut])).once());
        let answer = world.create(body).await;
        answer.is_refused_as(ProblemCode::PaymentUnidentified);
    }
    assert_eq!(world.payments().len(), 0);
}

/// A payment is shown only if no other record could be it.
#[tokio::test]
async fn of_two_possible_payments_none_is_shown() {
    let exact = foreign(&json!({ "transactionId": "exact" }));
    let another = foreign(&json!({ "transactionId": "another" }));
    let paid = foreign(&json!({ "transactionId": "paid", "statusText": "Paid" }));
    let cut = foreign(&json!({ "transactionId": "cut", "invoiceNumber": "inv-1" }));
    let token = foreign(&json!({ "transactionId": "token", "paymentToken": "BTC" }));
    let changed = foreign(&json!({ "transactionId": "exact", "statusText": "Paid" }));
    for other in [
        another,
        paid,
        cut,
        token,
        changed,
        json!({ "payment": exact }),
    ] {
        for pages in [
            vec![json!([exact, other])],
            vec![json!([other, exact])],
            vec![json!([exact]), json!([other])],
            vec![json!([other]), json!([exact])],
        ] {
            let world = World::new().await;
            lose(&world, Outcome::DropRequest, &invoice("INV-1")).await;
            for records in &pages {
                world.inject(page(records).once());
            }
            let answer = world.create(&invoice("INV-1")).await;
            answer.is_refused_as(ProblemCode::PaymentUnidentified);
            assert_eq!(world.payments().len(), 0, "{pages:?}");
        }
    }
}

/// A new payment may move it to the next page meanwhile.
#[tokio::test]
async fn a_payment_on_two_pages_is_one() {
    let world = World::new().await;
    lose(&world, Outcome::DropRequest, &invoice("INV-1")).await;
    let exact = foreign(&json!({}));
    for records in [json!([exact]), json!([exact])] {
        world.inject(page(records).once());
    }
    let found = world.create(&invoice("INV-1")).await;
    assert_eq!(found.transaction_id(), "foreign");
}

#[tokio::test]
async fn nothing_is_created_beside_an_unreadable_record() {
    for element in [
        json!(5),
        json!(null),
        json!({}),
        json!({ "payment": foreign(&json!({})) }),
    ] {
        let world = World::new().await;
        lose(&world, Outcome::DropRequest, &invoice("INV-1")).await;
        world.inject(page(json!([element])).once());
        let answer = world.create(&invoice("INV-1")).await;
        answer.is_refused_as(ProblemCode::PaymentUnidentified);
        assert_eq!(world.payments().len(), 0, "{element}");
    }
}
