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

/// Records of other orders on a page.
pub(crate) fn others(page: usize, count: usize) -> Vec<Value> {
    let other = |number| {
        let id = format!("other-{page}-{number}");
        foreign(&json!({ "transactionId": id, "invoiceNumber": id }))
    };
    (0..count).map(other).collect()
}

/// Several buyers may use one invoice number.
#[tokio::test]
async fn without_a_signed_order_the_buyer_must_match() {
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    world.inject(on_create(Outcome::DropRequest));
    let lost = world.create_once("key-1", &plain(json!({}))).await;
    lost.is_refused_as(ProblemCode::ServiceUnreachable);
    let other = foreign(&json!({ "purchaseEmail": "b@shop.example" }));
    world.inject(page(json!([other])).once());
    let created = world.create_once("key-1", &plain(json!({}))).await;
    assert_ne!(created.transaction_id(), "foreign");
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

/// A payment is shown only if no other record could be it. What could be it is tested with the rules of the ledger.
#[tokio::test]
async fn of_two_possible_payments_none_is_shown() {
    let exact = foreign(&json!({ "transactionId": "exact" }));
    let another = foreign(&json!({ "transactionId": "another" }));
    for pages in [
        vec![json!([another, exact])],
        vec![json!([exact]), json!([another])],
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
