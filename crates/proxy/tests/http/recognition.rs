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
    assert_eq!(finds(&json!({}), &signed).await, Some(true));
    for other in [
        json!({ "invoiceNumber": "INV-2" }),
        json!({ "invoiceNumber": "INV-10" }),
        json!({ "statusId": "5", "statusText": "Cancelled" }),
        json!({ "statusId": "5", "statusText": "Cancelled", "invoiceNumber": null }),
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
        json!({ "token": "USDT" }),
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

/// The list may echo the fields in another form.
#[tokio::test]
async fn a_payment_is_found_by_what_survives_an_echo() {
    let sent = json!({
        "invoiceNumber": "Order 2026-11-22 No. 1", "quantity": "25.123456785",
    });
    let signed = paying(&order(sent));
    for (invoice, quantity) in [
        ("Order 2026-11-22 No. 1", 25.123_456_78),
        (" ORDER 2026-11-22 NO. 1 ", 25.123_456_79),
        ("Order  2026-11-22 No.", 25.123_456_785),
    ] {
        let changed = json!({ "invoiceNumber": invoice, "quantity": quantity });
        assert_eq!(finds(&changed, &signed).await, Some(true), "{invoice}");
    }
}

#[tokio::test]
async fn without_a_signed_order_the_buyer_must_match() {
    let body = plain(json!({ "purchaseEmail": "a@shop.example" }));
    assert_eq!(finds(&json!({}), &body).await, Some(true));
    for other in [
        json!({ "purchaseEmail": "b@shop.example" }),
        json!({ "purchaseName": "B" }),
        json!({ "paymentToken": "BTC" }),
        json!({ "quantity": 26 }),
    ] {
        assert_eq!(finds(&other, &body).await, Some(false));
    }
    assert_eq!(finds(&json!({ "token": "USDT" }), &body).await, None);
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

#[tokio::test]
async fn an_exact_invoice_number_is_preferred() {
    let exact = foreign(&json!({ "transactionId": "exact" }));
    let [one, two] =
        ["one", "two"].map(|id| foreign(&json!({ "transactionId": id, "invoiceNumber": "inv-1" })));
    for (records, found) in [
        (json!([one, exact]), Some("exact")),
        (json!([{ "payment": exact }, exact]), Some("exact")),
        (json!([one]), Some("one")),
        (json!([one, one]), Some("one")),
        (json!([one, two]), None),
    ] {
        let world = World::new().await;
        lose(&world, Outcome::DropRequest, &invoice("INV-1")).await;
        world.inject(page(&records).once());
        let answer = world.create(&invoice("INV-1")).await;
        match found {
            Some(id) => assert_eq!(answer.transaction_id(), id, "{records}"),
            None => answer.is_refused_as(ProblemCode::PaymentUnidentified),
        }
    }
}

#[tokio::test]
async fn a_similar_payment_of_another_buyer_is_not_taken() {
    let body = paying(&order(json!({ "purchaseEmail": "b@shop.example" })));
    let world = World::new().await;
    lose(&world, Outcome::DropRequest, &body).await;
    let similar = foreign(&json!({ "invoiceNumber": "inv-1" }));
    world.inject(page(json!([similar])).once());
    let answer = world.create(&body).await;
    answer.is_refused_as(ProblemCode::PaymentUnidentified);
    assert_eq!(world.payments().len(), 0);
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
