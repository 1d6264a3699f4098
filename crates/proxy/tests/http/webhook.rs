//! Tests of the notifications of the service.

use axum::http::StatusCode;
use tender_protocol::ProblemCode;
use tender_sandbox::Endpoint;

use crate::followed::{SEVERAL_CYCLES, watched};
use crate::support::{MERCHANT_KEY, WEBHOOK_SECRET};

#[tokio::test]
async fn a_notification_only_triggers_a_poll() {
    let (world, payment, mut listener) = watched(|_| {}).await;
    for secret in [
        "wrong",
        &WEBHOOK_SECRET[1..],
        &MERCHANT_KEY.replace(' ', "-"),
    ] {
        let answer = world.notify(secret, "{}").await;
        answer.is_refused_as(ProblemCode::NotFound);
    }
    let lie = r#"{"invoiceNumber":"INV-1","statusId":"7","statusText":"Paid"}"#;
    assert_eq!(
        world.notify(WEBHOOK_SECRET, lie).await.status,
        StatusCode::OK
    );
    world.until_called_so_often(1).await;
    assert!(listener.is_silent_for(SEVERAL_CYCLES).await);

    // A duplicate does nothing; another notification triggers a poll.
    world.becomes(&payment, "Paid");
    assert_eq!(
        world.notify(WEBHOOK_SECRET, lie).await.status,
        StatusCode::OK
    );
    assert!(listener.is_silent_for(2 * SEVERAL_CYCLES).await);
    assert_eq!(world.calls(Endpoint::List), 1);
    let other = "not even JSON";
    assert_eq!(
        world.notify(WEBHOOK_SECRET, other).await.status,
        StatusCode::OK
    );
    assert_eq!(listener.next().await.status(), "Paid");
}
