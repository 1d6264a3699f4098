//! Tests of one payment per attempt.

use futures_util::future::join_all;

use crate::prelude::*;

#[tokio::test]
async fn an_idempotency_key_names_an_attempt() {
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    let body = plain(json!({}));
    let first = world.create_once("\"key-1\"", &body).await;
    // The same amount written differently is not a change.
    let again = plain(json!({ "quantity": 25 }));
    let again = world.create_once("key-1", &again).await;
    assert_eq!(again.payment(), first.payment());
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
    assert_eq!(world.transactions(), [first.transaction_id()]);
    // Another key or none is another attempt.
    world.create_once("key-2", &body).await.record();
    world.create(&body).await.record();
    world.create(&body).await.record();
    assert_eq!(world.payments().len(), 4);
    // The receipt of a repeat works like the first one.
    world.cancel_created(&again).await.succeeds();
}

#[tokio::test]
async fn invalid_idempotency_keys_are_refused() {
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
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
    let two = Answer::to(two).await;
    two.is_refused_as(ProblemCode::InvalidRequest);
    assert_eq!(world.calls(Endpoint::Create), 0);
}

#[tokio::test]
async fn concurrent_repeats_wait_for_the_first() {
    let world = World::new().await;
    let fault = Fault::new(Outcome::Handle);
    world.inject(fault.on(Endpoint::Create).hold_ms(300));
    let body = paying(&order(json!({})));
    let buyers = (0..20).map(|_| world.create_in_another_tab(&body));
    let answers = join_all(buyers).await;
    assert_eq!(world.calls(Endpoint::Create), 1);
    for answer in &answers {
        assert_eq!(answer.payment(), answers[0].payment());
    }
    assert_eq!(world.transactions(), [answers[0].transaction_id()]);
}

#[tokio::test]
async fn a_disconnect_does_not_stop_the_payment() {
    let world = World::new().await;
    let fault = Fault::new(Outcome::Handle);
    world.inject(fault.on(Endpoint::Create).delay_ms(2000));
    let body = paying(&order(json!({})));
    let gone = tokio::spawn(world.post(path::PAYMENT, &body).send());
    world.until_called(Endpoint::Create, 1).await;
    assert_eq!(world.ledger(&[]).await.reconciling, []);
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
