//! Tests of the notifications of the service.

use crate::followed::watched;
use crate::prelude::*;

#[tokio::test]
async fn a_notification_only_triggers_a_poll() {
    let (world, payment, mut listener) = watched(|_| {}).await;
    for secret in [
        "wrong",
        &WEBHOOK_SECRET[1..],
        &MERCHANT_KEY.replace(' ', "-"),
    ] {
        let guess = world.post(&format!("/webhook/{secret}"), &json!({}));
        let answer = Answer::to(guess).await;
        answer.is_refused_as(ProblemCode::NotFound);
    }
    let lie = r#"{"invoiceNumber":"INV-1","statusId":"7","statusText":"Paid"}"#;
    world.notify(lie).await;
    world.until_called(Endpoint::List, 1).await;
    assert!(listener.is_silent_for(SEVERAL_CYCLES).await);

    // Whatever it says, and however often.
    for (status, body) in [("Paid", lie), ("Refunded", "not even JSON")] {
        world.becomes(&payment, status);
        world.notify(body).await;
        assert_eq!(listener.next().await.status(), status);
    }

    // A cancel triggers one, too. The first event only says that the payment is closed.
    let other = world.begin("INV-2").await;
    let mut listener = world.watch(&other).await;
    world.cancel(&other.id, &other.receipt).await.succeeds();
    while listener.next().await.status() != "Cancelled" {}
}
