//! Tests of the search for a payment whose response was lost: what it recognises with certainty.

use axum::http::StatusCode;
use serde_json::{Value, json};
use tender_protocol::ProblemCode;
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::lost_responses::{foreign, lose};
use crate::support::{World, order, page, paying};

/// A create request for an order with this invoice number.
fn invoice(number: &str) -> Value {
    paying(&order(json!({ "invoiceNumber": number })))
}

/// Records of other orders.
fn others(count: usize) -> Vec<Value> {
    let other = |number| {
        let id = format!("other-{number}");
        foreign(&json!({ "transactionId": id, "invoiceNumber": id }))
    };
    (0..count).map(other).collect()
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

/// A refused page proves nothing after a full one: the list goes on there.
#[tokio::test]
async fn a_refused_page_is_the_end_only_after_a_short_page() {
    for status in [400, 404, 405, 410] {
        let status = StatusCode::from_u16(status).unwrap();
        for (count, is_end) in [(20, false), (19, true)] {
            let world = World::new().await;
            lose(&world, Outcome::DropRequest, &invoice("INV-1")).await;
            // Each failed page is requested three times, and a search that finds nothing is repeated.
            for answers in if is_end { [1; 2] } else { [3, 0] } {
                world.inject(page(json!(others(count))).once());
                for _ in 0..answers {
                    let refusal = Fault::respond(status, "{}");
                    world.inject(refusal.on(Endpoint::List).once());
                }
                if !is_end {
                    break;
                }
            }
            let answer = world.create(&invoice("INV-1")).await;
            if is_end {
                answer.record();
            } else {
                answer.is_refused_as(ProblemCode::ServiceRefused);
            }
            assert_eq!(world.payments().len(), usize::from(is_end), "{status}");
        }
    }
}

/// A payment leaves the list between two pages, so the searched one moves to a page that was read.
#[tokio::test]
async fn a_payment_that_moves_to_an_earlier_page_is_found() {
    let world = World::new().await;
    lose(&world, Outcome::DropRequest, &invoice("INV-1")).await;
    let mut shorter = others(19);
    shorter.push(foreign(&json!({})));
    for records in [others(20), others(3), vec![], shorter] {
        world.inject(page(json!(records)).once());
    }
    let found = world.create(&invoice("INV-1")).await;
    assert_eq!(found.transaction_id(), "foreign");
    assert_eq!(world.payments().len(), 0);
}
