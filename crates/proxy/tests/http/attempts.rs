//! One payment per attempt.

use axum::http::StatusCode;
use serde_json::{Value, json};
use tender_protocol::{ProblemCode, path};
use tender_sandbox::{Endpoint, Fault, Outcome};
use tokio::task::JoinSet;

use crate::support::{Answer, World, order, paying, plain};

async fn with_unsigned_orders() -> World {
    World::with(|config| config.allow_unsigned_orders = true).await
}

fn paying_in(payment_token: &str, order: &str) -> Value {
    json!({ "order": order, "paymentToken": payment_token })
}

#[tokio::test]
async fn a_repeat_with_the_same_key_gets_the_same_answer() {
    let world = with_unsigned_orders().await;
    let body = plain(json!({}));
    let first = world.create_once("\"key-1\"", &body).await;
    let again = world.create_once("key-1", &body).await;
    assert_eq!(again.payment(), first.payment());
    assert_eq!(world.transactions(), [first.transaction_id()]);
    // The receipt of a repeat is as good as the first one.
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
    // The same amount in other words is no change.
    world
        .create_once("key-1", &plain(json!({ "quantity": 25 })))
        .await
        .record();
    assert_eq!(world.payments().len(), 1);
}

#[tokio::test]
async fn a_key_is_one_short_string() {
    let world = with_unsigned_orders().await;
    let body = plain(json!({}));
    for key in ["", "\"\"", "\"open", "a\"b", "\u{e4}", &"k".repeat(256)] {
        let answer = world.create_once(key, &body).await;
        answer.is_refused_as(ProblemCode::InvalidRequest);
        assert!(
            answer.problem().detail.contains("Idempotency-Key"),
            "{}",
            answer.body
        );
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
async fn a_signed_order_is_an_attempt_of_its_own() {
    let world = World::new().await;
    let first = world
        .create(&paying(&order(json!({ "exp": 4_000_000_000_u64 }))))
        .await;
    // Signed anew, with another key, another buyer field: still the same order.
    let mut again = paying(&order(json!({ "exp": 4_000_000_001_u64 })));
    again["purchaseName"] = json!("A");
    let again = world.create_once("key-2", &again).await;
    assert_eq!(again.payment(), first.payment());
    assert_eq!(world.transactions(), [first.transaction_id()]);
}

#[tokio::test]
async fn another_token_or_amount_of_the_same_order_has_an_answer_of_its_own() {
    let world = World::new().await;
    let order = order(json!({ "itemNumber": "0", "quantity": null }));
    let body = |token: &str, quantity: &str| {
        let mut body = paying_in(token, &order);
        body["quantity"] = json!(quantity);
        body
    };
    let choices = [("trx", "5"), ("btc", "5"), ("trx", "6")];
    let mut answers = Vec::new();
    for (token, quantity) in choices {
        answers.push(world.create(&body(token, quantity)).await.payment());
    }
    assert_eq!(world.payments().len(), 3);
    for ((token, quantity), first) in choices.into_iter().zip(answers) {
        let again = world.create(&body(token, quantity)).await.payment();
        assert_eq!(again, first);
        assert_eq!(again.payment_token, token.to_uppercase());
    }
    assert_eq!(world.payments().len(), 3);
}

#[tokio::test]
async fn concurrent_repeats_wait_for_the_first() {
    let world = World::new().await;
    world.inject(
        Fault::new(Outcome::Handle)
            .on(Endpoint::Create)
            .hold_ms(300),
    );
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
async fn a_buyer_who_goes_away_does_not_stop_the_payment() {
    let world = World::new().await;
    world.inject(
        Fault::new(Outcome::Handle)
            .on(Endpoint::Create)
            .delay_ms(300),
    );
    let body = paying(&order(json!({})));
    let gone = tokio::spawn(world.post(path::PAYMENT, &body).send());
    world.until_called(Endpoint::Create, 1).await;
    gone.abort();
    assert!(gone.await.unwrap_err().is_cancelled());

    let again = world.create(&body).await;
    assert_eq!(world.transactions(), [again.transaction_id()]);
    assert_eq!(world.calls(Endpoint::Create), 1);
    // It was answered, not found in the list after an abandoned call.
    assert_eq!(world.calls(Endpoint::List), 0);
}

#[tokio::test]
async fn a_cancelled_payment_makes_room_for_a_new_one() {
    let world = World::new().await;
    let body = paying(&order(json!({})));
    let first = world.create_once("key-1", &body).await;
    let cancelled = world
        .cancel(&first.transaction_id(), &first.receipt())
        .await;
    assert_eq!(cancelled.status, StatusCode::OK);

    let second = world.create_once("key-2", &body).await;
    assert_ne!(second.transaction_id(), first.transaction_id());
    assert_eq!(world.payments().len(), 2);
    // A late copy of the first request is still the first attempt.
    let late = world.create_once("key-1", &body).await;
    assert_eq!(late.transaction_id(), first.transaction_id());
    let again = world.create(&body).await;
    assert_eq!(again.transaction_id(), second.transaction_id());
}

#[tokio::test]
async fn a_refused_cancel_leaves_the_payment_live() {
    let world = World::new().await;
    let body = paying(&order(json!({})));
    let first = world.create(&body).await;
    world.inject(
        Fault::respond(StatusCode::CONFLICT, "{}")
            .on(Endpoint::Cancel)
            .once(),
    );
    let refused = world
        .cancel(&first.transaction_id(), &first.receipt())
        .await;
    refused.is_refused_as(ProblemCode::ServiceRefused);
    assert_eq!(world.create(&body).await.payment(), first.payment());
}

#[tokio::test]
async fn a_cancel_whose_answer_is_lost_counts_as_cancelled() {
    let world = World::new().await;
    let body = paying(&order(json!({})));
    let first = world.create(&body).await;
    world.inject(Fault::new(Outcome::DropAnswer).on(Endpoint::Cancel).once());
    let lost = world
        .cancel(&first.transaction_id(), &first.receipt())
        .await;
    lost.is_refused_as(ProblemCode::ServiceUnreachable);
    assert_ne!(
        world.create(&body).await.transaction_id(),
        first.transaction_id()
    );
}
