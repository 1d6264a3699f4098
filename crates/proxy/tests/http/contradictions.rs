//! Tests of payments that contradict their request: no buyer sees them, and the merchant does.

use axum::http::StatusCode;
use serde_json::{Value, json};
use tender_protocol::ProblemCode;
use tender_protocol::ledger::Reason;
use tender_sandbox::{Endpoint, Fault};

use crate::lost_responses::foreign;
use crate::support::{MERCHANT_KEY, World, order, page, paying, paying_in};

async fn is_refused(world: &World, changed: &Value) {
    let order = &order(json!({}));
    let created = world.calls(Endpoint::Create);
    let record = foreign(changed);
    let answer = Fault::respond(StatusCode::OK, record.to_string());
    world.inject(answer.on(Endpoint::Create).once());
    for body in [paying(order), paying(order), paying_in("btc", order)] {
        let answer = world.create(&body).await;
        answer.is_refused_as(ProblemCode::PaymentContradictory);
        answer.has_no("wallet");
    }
    assert_eq!(world.calls(Endpoint::Create), created + 1, "{changed}");
    assert_eq!(world.calls(Endpoint::Cancel), 0);
    assert_eq!(world.find(order).await.status, StatusCode::NO_CONTENT);

    let ledger = world.ledger(&[]).await;
    let [open] = &*ledger.reconciling else {
        panic!("{ledger:?}");
    };
    assert_eq!(open.reason, Reason::CreateContradictory);
    assert_eq!(open.invoice_number, "INV-1");
    assert_eq!(
        open.transaction_id.as_deref(),
        record["transactionId"].as_str()
    );
}

/// The list may say that it is open, so the order gets no other payment.
#[tokio::test]
async fn a_payment_that_is_closed_at_once_is_refused() {
    for (id, name) in [("5", "Cancelled"), ("9", "Expired"), ("9", "Created")] {
        let closed = ["9", "Expired"].map(str::to_owned);
        let world = World::with(|config| config.orders.status_closed = closed.into()).await;
        is_refused(&world, &json!({ "statusId": id, "statusText": name })).await;
    }
}

/// The merchant has had the service cancel the payment. Which fields contradict the request is tested with the rules of the
/// ledger.
#[tokio::test]
async fn a_released_order_gets_another_payment() {
    let world = World::new().await;
    is_refused(&world, &json!({ "quantity": 24.99 })).await;
    let open = world.ledger(&[]).await.reconciling.remove(0);
    let id = open.transaction_id.unwrap();
    let released = world.release(&id, MERCHANT_KEY).await;
    assert_eq!(released.status, StatusCode::NO_CONTENT, "{}", released.body);
    assert!(world.ledger(&[]).await.reconciling.is_empty());
    let payment = world.create(&paying(&order(json!({})))).await;
    assert_ne!(payment.transaction_id(), id);
    // Once it is free, nothing is left to release.
    let again = world.release(&id, MERCHANT_KEY).await;
    again.is_refused_as(ProblemCode::PaymentUnknown);
}

#[tokio::test]
async fn the_payment_of_another_order_is_refused() {
    let world = World::new().await;
    let other = order(json!({ "invoiceNumber": "INV-2" }));
    let other = world.create(&paying(&other)).await.transaction_id();
    is_refused(&world, &json!({ "transactionId": other })).await;
}

/// The service may answer with a payment that it has already.
#[tokio::test]
async fn a_payment_that_was_cancelled_is_refused() {
    let world = World::new().await;
    let order = order(json!({}));
    let first = world.create(&paying(&order)).await;
    let id = first.transaction_id();
    world.cancel(&id, &first.receipt()).await.succeeds();
    let record = foreign(&json!({ "transactionId": id }));
    let answer = Fault::respond(StatusCode::OK, record.to_string());
    world.inject(answer.on(Endpoint::Create).once());
    let second = world.create(&paying(&order)).await;
    second.is_refused_as(ProblemCode::PaymentContradictory);
    // It stays closed.
    let status = world.read(&id, &first.receipt()).await;
    status.has(r#""state":"closed""#);
}

/// The list and the response to a cancel request may name another amount: a buyer sees the first one.
#[tokio::test]
async fn a_buyer_sees_one_amount_of_a_payment() {
    for status in ["Created", "Cancelled"] {
        let world = World::new().await;
        let created = world.create(&paying(&order(json!({})))).await;
        let mut listed: Value = serde_json::from_str(&created.body).unwrap();
        listed["quantityPay"] = json!(9999);
        listed["statusText"] = json!(status);
        let listed = json!([listed]).to_string();
        world.inject(page(&listed));
        let answer = Fault::respond(StatusCode::OK, listed);
        world.inject(answer.on(Endpoint::Cancel));
        let id = created.transaction_id();
        for answer in [
            world.create(&paying(&order(json!({})))).await,
            world.read(&id, &created.receipt()).await,
            world.cancel(&id, &created.receipt()).await,
            world.read(&id, &created.receipt()).await,
        ] {
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
            assert!(!answer.body.contains("9999"), "{status}: {}", answer.body);
        }
    }
}

/// Parsers differ in which one of two fields with the same name they take.
#[tokio::test]
async fn a_field_is_passed_on_once() {
    let world = World::new().await;
    let twice = |record: &str| {
        let fields = record.trim_end_matches('}');
        format!(
            r#"{{"wallet":"other",{},"w\u0061llet":"last"}}"#,
            &fields[1..]
        )
    };
    let record = twice(&foreign(&json!({})).to_string());
    let answer = Fault::respond(StatusCode::OK, &*record);
    world.inject(answer.on(Endpoint::Create).once());
    let created = world.create(&paying(&order(json!({})))).await;
    created.record();
    let id = created.transaction_id();
    world.inject(page(format!("[{record}]")));
    let answer = Fault::respond(StatusCode::OK, format!("[{record}]"));
    world.inject(answer.on(Endpoint::Cancel));
    for answer in [
        world.list("").await,
        world.cancel(&id, &created.receipt()).await,
        world.read(&id, &created.receipt()).await,
        created,
    ] {
        assert_eq!(answer.body.matches("llet").count(), 1, "{}", answer.body);
        answer.has(r#""wallet":"last""#);
    }
}
