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

/// Such a record may be another payment's, so its status says nothing.
#[tokio::test]
async fn a_payment_that_the_list_contradicts_keeps_its_order_until_it_is_released() {
    for (field, value) in [
        ("invoiceNumber", json!("INV-2")),
        ("token", json!("BTC")),
        ("paymentToken", json!("BTC")),
        ("quantity", json!(24)),
        ("wallet", json!("another")),
    ] {
        let world = World::with(mapped).await;
        let payment = world.begin("INV-1").await;
        let mut listed = payment.with_status("5", "Cancelled");
        listed[field] = value;
        world.inject(page(json!([listed])));
        for key in [&*payment.receipt, MERCHANT_KEY] {
            let refused = world.cancel(&payment.id, key).await;
            refused.is_refused_as(ProblemCode::CancelUnconfirmed);
        }
        let refused = world.pays_in("btc").await;
        refused.is_refused_as(ProblemCode::EarlierPaymentOpen);
        // Also when the list is right again.
        world.sandbox.controls().clear_faults();
        let refused = world.pays_in("btc").await;
        refused.is_refused_as(ProblemCode::EarlierPaymentOpen);
        assert_eq!(world.calls(Endpoint::Create), 1, "{field}");
        assert_eq!(world.calls(Endpoint::Cancel), 0);
        assert_eq!(world.latest(&payment).await.body, payment.record);

        let path = format!("{}?invoiceNumber=INV-1", path::ORDERS);
        let order = Answer::to(world.by_merchant(Method::GET, &path)).await;
        order.has(r#""reason":"list-contradictory""#);
        let reconciling = world.ledger(&[]).await.reconciling;
        let [doubt] = &*reconciling else {
            panic!("{reconciling:?}");
        };
        assert_eq!(doubt.reason, Reason::ListContradictory);
        assert_eq!(doubt.transaction_id.as_ref(), Some(&payment.id));
        let released = world.release(&payment.id, MERCHANT_KEY).await;
        released.has_no_content();
        assert!(world.ledger(&[]).await.reconciling.is_empty());
        assert_ne!(world.pays_in("btc").await.transaction_id(), payment.id);
    }
}

/// The merchant's streams say so at once. The order of a cancelled payment gets no other one either.
#[tokio::test]
async fn a_contradiction_is_found_by_polls_also_for_a_cancelled_payment() {
    let world = World::with(mapped_and_polled).await;
    let payment = world.begin("INV-1").await;
    world.cancel(&payment.id, &payment.receipt).await.succeeds();
    let (mut merchant, _) = world.watch_all().await;
    let mut listed = payment.with_status("7", "Paid");
    listed["wallet"] = json!("another");
    world.inject(page(json!([listed])));
    while merchant.next_any().await.event != "ledger" {}
    let refused = world.pays_in("btc").await;
    refused.is_refused_as(ProblemCode::PaymentUnidentified);
    let state = world.latest(&payment).await.record().string("state");
    assert_eq!(state.as_deref(), Some("closed"));
    let reconciling = world.ledger(&[]).await.reconciling;
    assert_eq!(reconciling[0].reason, Reason::ListContradictory);
    // Of several records on a page, the payment's own one counts.
    let right = payment.with_status("7", "Paid");
    world.sandbox.controls().clear_faults();
    world.inject(page(json!([listed, right])));
    let paid = world.until_it_is(&payment, "Paid").await;
    paid.has(r#""state":"paid""#);
    // What was paid is in no doubt.
    assert!(world.ledger(&[]).await.reconciling.is_empty());
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
