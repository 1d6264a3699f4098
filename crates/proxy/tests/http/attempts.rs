//! Tests of one payment per attempt.

use axum::http::StatusCode;
use serde_json::json;
use tender_protocol::{ProblemCode, path};
use tender_sandbox::{Endpoint, Fault, Outcome};
use tokio::task::JoinSet;

use crate::support::{Answer, World, order, paying, plain};

async fn with_unsigned_orders() -> World {
    World::with(|config| config.orders.allow_unsigned = true).await
}

#[tokio::test]
async fn a_repeat_with_the_same_key_gets_the_same_payment() {
    let world = with_unsigned_orders().await;
    let body = plain(json!({}));
    let first = world.create_once("\"key-1\"", &body).await;
    let again = world.create_once("key-1", &body).await;
    assert_eq!(again.payment(), first.payment());
    assert_eq!(world.transactions(), [first.transaction_id()]);
    // The receipt of a repeat works like the first one.
    let cancelled = world
        .cancel(&first.transaction_id(), &again.receipt())
        .await;
    assert_eq!(cancelled.status, StatusCode::OK);
}

#[tokio::test]
async fn another_key_or_none_is_another_attempt() {
    let world = with_unsigned_orders().await;
    let body = plain(json!({}));
    world.create_once("key-1", &body).await.record();
    world.create_once("key-2", &body).await.record();
    world.create(&body).await.record();
    world.create(&body).await.record();
    assert_eq!(world.payments().len(), 4);
}

#[tokio::test]
async fn a_changed_body_under_the_same_key_is_refused() {
    let world = with_unsigned_orders().await;
    world.create_once("key-1", &plain(json!({}))).await.record();
    for change in [
        json!({ "quantity": "26" }),
        json!({ "token": "usdte" }),
        json!({ "paymentToken": "btc" }),
        json!({ "invoiceNumber": "INV-2" }),
        json!({ "itemNumber": "2" }),
        json!({ "purchaseEmail": "a@shop.example" }),
        json!({ "purchaseName": "A" }),
    ] {
        let answer = world.create_once("key-1", &plain(change)).await;
        answer.is_refused_as(ProblemCode::AttemptMismatch);
    }
    // The same amount written differently is not a change.
    let created = world
        .create_once("key-1", &plain(json!({ "quantity": 25 })))
        .await;
    created.record();
    assert_eq!(world.payments().len(), 1);
}

#[tokio::test]
async fn invalid_idempotency_keys_are_refused() {
    let world = with_unsigned_orders().await;
    let body = plain(json!({}));
    for key in [
        "",
        r#""""#,
        " ",
        r#"" ""#,
        r#"""#,
        r#""open"#,
        r#"a"b"#,
        r#""a"b""#,
        r#""a";b=1"#,
        r#""a\n""#,
        r#""a\""#,
        "\u{e4}",
        &"k".repeat(256),
    ] {
        let answer = world.create_once(key, &body).await;
        answer.is_refused_for(ProblemCode::InvalidRequest, "Idempotency-Key");
    }
    let two = world
        .post(path::PAYMENT, &body)
        .header("idempotency-key", "a")
        .header("idempotency-key", "b");
    Answer::to(two)
        .await
        .is_refused_as(ProblemCode::InvalidRequest);
    assert_eq!(world.calls(Endpoint::Create), 0);
}

#[tokio::test]
async fn a_signed_order_identifies_an_attempt() {
    let world = World::new().await;
    let first = world
        .create(&paying(&order(json!({ "exp": 4_000_000_000_u64 }))))
        .await;
    // Signed again, with another key and another buyer field: still the same order.
    let mut again = paying(&order(json!({ "exp": 4_000_000_001_u64 })));
    again["purchaseName"] = json!("A");
    let again = world.create_once("key-2", &again).await;
    assert_eq!(again.payment(), first.payment());
    assert_eq!(world.transactions(), [first.transaction_id()]);
}

#[tokio::test]
async fn concurrent_repeats_wait_for_the_first() {
    let world = World::new().await;
    let fault = Fault::new(Outcome::Handle);
    world.inject(fault.on(Endpoint::Create).hold_ms(300));
    let body = paying(&order(json!({})));
    let mut buyers = JoinSet::new();
    for _ in 0..20 {
        buyers.spawn(Answer::to(world.post(path::PAYMENT, &body)));
    }
    let answers = buyers.join_all().await;
    let payments: Vec<_> = answers.iter().map(Answer::payment).collect();
    assert_eq!(world.calls(Endpoint::Create), 1);
    assert!(payments.iter().all(|payment| *payment == payments[0]));
    assert_eq!(world.transactions(), [payments[0].transaction_id.clone()]);
}

#[tokio::test]
async fn a_disconnect_does_not_stop_the_payment() {
    let world = World::new().await;
    let fault = Fault::new(Outcome::Handle);
    world.inject(fault.on(Endpoint::Create).delay_ms(2000));
    let body = paying(&order(json!({})));
    let gone = tokio::spawn(world.post(path::PAYMENT, &body).send());
    world.until_called(Endpoint::Create, 1).await;
    gone.abort();
    assert!(gone.await.unwrap_err().is_cancelled());

    let again = world.create(&body).await;
    assert_eq!(world.transactions(), [again.transaction_id()]);
    assert_eq!(world.calls(Endpoint::Create), 1);
    // No buyer has seen the payment yet, so the list was read before the proxy returned it.
    assert_eq!(world.calls(Endpoint::List), 1);
}

/// It is unknown whether the payment was cancelled: it is not shown to the buyer, and another one
/// is created only when the list shows that it is cancelled, or after a successful cancel.
#[tokio::test]
async fn a_cancel_with_a_lost_response_is_repeated_unless_the_list_shows_it() {
    for (outcome, cancels) in [(Outcome::DropAnswer, 1), (Outcome::DropRequest, 3)] {
        let world = World::new().await;
        let body = paying(&order(json!({})));
        let first = world.create_once("key-1", &body).await;
        let fault = Fault::new(outcome);
        world.inject(fault.on(Endpoint::Cancel).times(2.try_into().unwrap()));
        let lost = world.cancel_created(&first).await;
        lost.is_refused_as(ProblemCode::ServiceUnreachable);
        let again = world.create_once("key-1", &body).await;
        again.is_refused_as(ProblemCode::AttemptEnded);
        if cancels > 1 {
            let unclear = world.create(&body).await;
            unclear.is_refused_as(ProblemCode::EarlierPaymentOpen);
            assert_eq!(world.payments().len(), 1);
        }
        let second = world.create(&body).await;
        assert_ne!(second.transaction_id(), first.transaction_id());
        assert_eq!(world.open(), [second.transaction_id()]);
        assert_eq!(world.calls(Endpoint::Cancel), cancels);
    }
}
