//! Tests of several instances, at the same time and in sequence, with one database.

use crate::prelude::*;

#[tokio::test]
async fn a_restart_loses_nothing() {
    let mut world = World::persistent(|config| {
        config.orders.keys = Vec::new();
        config.orders.allow_unsigned = true;
    })
    .await;
    let body = plain(json!({}));
    let first = world.create_once("key-1", &body).await;
    world.inject(Fault::new(Outcome::DropAnswer).on(Endpoint::Create).once());
    let other = plain(json!({ "invoiceNumber": "INV-2" }));
    let answer = world.create_once("key-2", &other).await;
    answer.is_refused_as(ProblemCode::ServiceUnreachable);

    let before = world.replace_proxy(|_| {}).await;
    assert!(before.stop().await);
    let again = world.create_once("key-1", &body).await;
    assert_eq!(again.payment(), first.payment());
    let changed = plain(json!({ "quantity": "26" }));
    let answer = world.create_once("key-1", &changed).await;
    answer.is_refused_as(ProblemCode::AttemptMismatch);
    world.create_once("key-2", &other).await.record();
    assert_eq!(world.calls(Endpoint::Create), 2);
    world.cancel_created(&first).await.succeeds();
}

#[tokio::test]
async fn a_repeat_at_another_instance_waits_for_the_first() {
    let mut world = World::persistent(|_| {}).await;
    let slow = Fault::new(Outcome::Handle).hold_ms(3000);
    world.inject(slow.on(Endpoint::Create));
    let body = paying(&order(json!({})));
    let first = tokio::spawn(Answer::to(world.post(path::PAYMENT, &body)));
    world.until_called(Endpoint::Create, 1).await;

    let _first_instance = world.replace_proxy(|_| {}).await;
    let second = world.create(&body).await;
    assert_eq!(second.payment(), first.await.unwrap().payment());
    assert_eq!(world.calls(Endpoint::Create), 1);
    // The second instance has not seen the payment in the list before.
    assert_eq!(world.calls(Endpoint::List), 1);
    // Another instance cancels the payment, and both know it.
    world.cancel_created(&second).await.succeeds();
    world.create(&body).await.record();
    assert_eq!(world.open().len(), 1);
}
