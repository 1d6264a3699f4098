//! Tests of attempts whose call to the service fails.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};
use tender_protocol::{ProblemCode, path};
use tender_sandbox::{Endpoint, Fault, Outcome};
use tokio::task::JoinSet;

use crate::support::{Answer, World, order, page, paying, paying_in, plain};

pub(crate) fn on_create(outcome: Outcome) -> Fault {
    Fault::new(outcome).on(Endpoint::Create).once()
}

/// Sends a create request while the service closes the connection without a response.
pub(crate) async fn lose(world: &World, outcome: Outcome, body: &Value) {
    world.inject(on_create(outcome));
    let answer = world.create(body).await;
    answer.is_refused_as(ProblemCode::ServiceUnreachable);
}

/// The payment was created, and the repeat finds it.
#[tokio::test]
async fn a_payment_without_a_usable_response_is_found() {
    for (fault, code) in [
        (
            on_create(Outcome::DropAnswer),
            ProblemCode::ServiceUnreachable,
        ),
        (
            on_create(Outcome::Handle).hold_ms(60_000),
            ProblemCode::ServiceTimeout,
        ),
        (on_create(Outcome::Html), ProblemCode::ServiceUnreadable),
        (on_create(Outcome::Truncate), ProblemCode::ServiceUnreadable),
    ] {
        let world = World::with(|config| config.upstream.timeout = Duration::from_secs(2)).await;
        world.inject(fault);
        let body = paying(&order(json!({})));
        world.create(&body).await.is_refused_as(code);
        assert_eq!(world.payments().len(), 1);

        let found = world.create(&body).await;
        assert_eq!(world.transactions(), [found.transaction_id()]);
        assert_eq!(world.calls(Endpoint::Create), 1);
        // Once found, it is a result like any other.
        assert_eq!(world.create(&body).await.payment(), found.payment());
        // The first page, and the end of the list.
        assert_eq!(world.calls(Endpoint::List), 2);
        world.cancel_created(&found).await.succeeds();
    }
}

#[tokio::test]
async fn a_payment_missing_from_the_list_is_created() {
    for token in ["trx", "btc"] {
        let world = World::new().await;
        let body = paying(&order(json!({})));
        for fault in [
            on_create(Outcome::DropRequest),
            Fault::respond(StatusCode::BAD_GATEWAY, "{}")
                .on(Endpoint::Create)
                .once(),
        ] {
            world.inject(fault);
            assert!(world.create(&body).await.status.is_server_error());
        }
        assert_eq!(world.payments().len(), 0);
        let created = world.create(&paying_in(token, &order(json!({})))).await;
        assert_eq!(world.transactions(), [created.transaction_id()]);
        assert_eq!(world.calls(Endpoint::List), 2);
        assert_eq!(world.calls(Endpoint::Cancel), 0);
    }
}

#[tokio::test]
async fn a_refusal_ends_the_attempt() {
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    let refusal = Fault::respond(StatusCode::BAD_REQUEST, r#"{"error":"no"}"#);
    world.inject(refusal.on(Endpoint::Create).once());
    let refused = world.create_once("key-1", &plain(json!({}))).await;
    refused.is_refused_as(ProblemCode::ServiceRefused);
    // The key can be used with another body, and no search is needed.
    let created = world
        .create_once("key-1", &plain(json!({ "quantity": "3" })))
        .await;
    created.record();
    assert_eq!(world.calls(Endpoint::List), 0);
}

/// A 4xx response that may follow an executed request is no refusal.
#[tokio::test]
async fn a_doubtful_refusal_does_not_end_the_attempt() {
    for status in [409, 499] {
        let world = World::new().await;
        let body = paying(&order(json!({})));
        let status = StatusCode::from_u16(status).unwrap();
        world.inject(Fault::respond(status, "{}").on(Endpoint::Create).once());
        let doubtful = world.create(&body).await;
        doubtful.is_refused_as(ProblemCode::ServiceRefused);
        world.inject(page(json!([foreign(&json!({}))])).once());
        let found = world.create(&body).await;
        assert_eq!(found.transaction_id(), "foreign", "{status}");
        assert_eq!(world.calls(Endpoint::Create), 1, "{status}");
    }
}

#[tokio::test]
async fn an_unreachable_service_leaves_no_doubt() {
    let world = World::with(|config| {
        config.upstream.base_url = "http://127.0.0.1:1".parse().unwrap();
        config.orders.allow_unsigned = true;
    })
    .await;
    for body in [plain(json!({})), plain(json!({ "quantity": "3" }))] {
        let answer = world.create_once("key-1", &body).await;
        answer.is_refused_as(ProblemCode::ServiceUnreachable);
    }
}

/// A record that only the service's list has, with some fields replaced.
pub(crate) fn foreign(changed: &Value) -> Value {
    let mut payment = json!({
        "transactionId": "foreign", "token": "USDTT", "paymentToken": "TRX", "quantity": 25,
        "quantityPay": 80, "invoiceNumber": "INV-1",
        "statusId": "1", "statusText": "Created", "wallet": "T...",
    });
    for (name, value) in changed.as_object().unwrap() {
        payment[name] = value.clone();
    }
    payment
}

#[tokio::test]
async fn waiting_requests_share_a_failure() {
    let world = World::new().await;
    // Long enough for all requests to arrive.
    world.inject(on_create(Outcome::DropAnswer).delay_ms(5000));
    let body = paying(&order(json!({})));
    let mut buyers = JoinSet::new();
    for _ in 0..10 {
        buyers.spawn(Answer::to(world.post(path::PAYMENT, &body)));
    }
    for answer in buyers.join_all().await {
        answer.is_refused_as(ProblemCode::ServiceUnreachable);
    }
    assert_eq!(world.calls(Endpoint::Create), 1);
    assert_eq!(world.calls(Endpoint::List), 0);
}

#[tokio::test]
async fn a_payment_of_another_attempt_is_not_found() {
    // Two buyers with the same unsigned invoice number.
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    let body = plain(json!({}));
    let of_first = world.create_once("first", &body).await.transaction_id();
    world.inject(on_create(Outcome::DropRequest));
    let lost = world.create_once("second", &body).await;
    lost.is_refused_as(ProblemCode::ServiceUnreachable);
    let of_second = world.create_once("second", &body).await.transaction_id();
    assert_ne!(of_second, of_first);
    assert_eq!(world.payments().len(), 2);
}
