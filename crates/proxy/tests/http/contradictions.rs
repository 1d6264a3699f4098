//! Tests of payments that contradict their request: no buyer sees them, and the merchant does.

use tender_protocol::ledger::Reason;

use crate::lost_responses::foreign;
use crate::prelude::*;

async fn is_refused(world: &World, changed: &Value) {
    let order = &order(json!({}));
    let created = world.calls(Endpoint::Create);
    let record = foreign(changed);
    world.inject(responds(Endpoint::Create, StatusCode::OK, &record).once());
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
    let id = record["transactionId"].as_str();
    assert_eq!(open.transaction_id.as_deref(), id);
}

/// No other payment is created for the order: the list may say that this one is open. Which fields contradict the request is
/// tested with the rules of the ledger.
#[tokio::test]
async fn a_contradictory_payment_keeps_its_order_until_it_is_released() {
    for changed in [
        json!({ "quantity": 24.99 }),
        // It is closed at once.
        json!({ "statusId": "5", "statusText": "Cancelled" }),
        json!({ "statusId": "9", "statusText": "Expired" }),
        json!({ "statusId": "9", "statusText": "Created" }),
    ] {
        let closed = ["9", "Expired"].map(str::to_owned);
        let world = World::with(|config| config.orders.status_closed = closed.into()).await;
        is_refused(&world, &changed).await;
        // The merchant has had the service cancel the payment.
        let released = world.release("foreign", MERCHANT_KEY).await;
        released.has_no_content();
        assert!(world.ledger(&[]).await.reconciling.is_empty());
        assert_ne!(world.begin("INV-1").await.id, "foreign");
        // Once it is free, nothing is left to release.
        let again = world.release("foreign", MERCHANT_KEY).await;
        again.is_refused_as(ProblemCode::PaymentUnknown);
    }
}

/// The service may answer with a payment that it has already: that of another order, or a cancelled one.
#[tokio::test]
async fn an_earlier_payment_is_refused() {
    let world = World::new().await;
    let other = world.begin("INV-2").await;
    is_refused(&world, &json!({ "transactionId": other.id })).await;
    let own = world.begin("INV-3").await;
    world.cancel(&own.id, &own.receipt).await.succeeds();
    world.inject(responds(Endpoint::Create, StatusCode::OK, &own.record).once());
    let again = paying(&order(json!({ "invoiceNumber": "INV-3" })));
    let again = world.create(&again).await;
    again.is_refused_as(ProblemCode::PaymentContradictory);
    // It stays closed.
    world.latest(&own).await.has(r#""state":"closed""#);
}

/// Parsers differ in which one of two fields with the same name they take.
#[tokio::test]
async fn a_field_is_passed_on_once() {
    let world = World::new().await;
    let record = foreign(&json!({})).to_string();
    let fields = record.trim_matches(['{', '}']);
    let record = format!(r#"{{"wallet":"other",{fields},"w\u0061llet":"last"}}"#);
    world.inject(responds(Endpoint::Create, StatusCode::OK, &record).once());
    let created = world.create(&paying(&order(json!({})))).await;
    let id = created.transaction_id();
    let listed = format!("[{record}]");
    world.inject(page(&listed));
    world.inject(responds(Endpoint::Cancel, StatusCode::OK, &listed));
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
