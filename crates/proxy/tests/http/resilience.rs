//! Tests of retries, circuit breakers and limits towards the service.

use std::num::NonZeroU32;
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::json;
use tender_protocol::{ProblemCode, path};
use tender_proxy::{Config, Secret};
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::support::{Answer, MERCHANT_KEY, World, order, paying};

async fn world(change: impl FnOnce(&mut Config)) -> World {
    World::with(|config| {
        config.access.merchant_keys = vec![Secret::from(MERCHANT_KEY)];
        config.upstream.token_cache = Duration::ZERO;
        change(config);
    })
    .await
}

fn unavailable() -> Fault {
    Fault::respond(StatusCode::SERVICE_UNAVAILABLE, "")
}

#[tokio::test]
async fn reads_are_retried() {
    let world = world(|config| config.upstream.retries = 2).await;
    for fault in [unavailable(), Fault::new(Outcome::DropAnswer)] {
        world.inject(
            fault
                .clone()
                .on(Endpoint::Tokens)
                .times(NonZeroU32::new(2).unwrap()),
        );
        assert_eq!(world.get(path::TOKENS).await.status, StatusCode::OK);
        world.inject(fault.on(Endpoint::List).times(NonZeroU32::new(2).unwrap()));
        assert_eq!(world.list("").await.status, StatusCode::OK);
    }
    assert_eq!(world.calls(Endpoint::Tokens), 6);
    assert_eq!(world.calls(Endpoint::List), 6);

    world.inject(
        unavailable()
            .on(Endpoint::Tokens)
            .times(NonZeroU32::new(3).unwrap()),
    );
    let answer = world.get(path::TOKENS).await;
    answer.is_refused_as(ProblemCode::ServiceFailed);
}

/// Creates, cancels and refused requests are not retried.
#[tokio::test]
async fn nothing_else_is_retried() {
    let world = world(|config| config.upstream.retries = 2).await;
    // Set first, because a cancel triggers a poll of the list.
    world.inject(
        Fault::respond(StatusCode::FORBIDDEN, "")
            .on(Endpoint::List)
            .once(),
    );
    world
        .list("")
        .await
        .is_refused_as(ProblemCode::ServiceRefused);
    assert_eq!(world.calls(Endpoint::List), 1);

    world.inject(unavailable().on(Endpoint::Create).once());
    let answer = world.create(&paying(&order(json!({})))).await;
    answer.is_refused_as(ProblemCode::ServiceFailed);
    assert_eq!(world.calls(Endpoint::Create), 1);

    world.inject(unavailable().on(Endpoint::Cancel).once());
    let answer = world.cancel("t", MERCHANT_KEY).await;
    answer.is_refused_as(ProblemCode::ServiceFailed);
    assert_eq!(world.calls(Endpoint::Cancel), 1);
}

/// The proxy finds by itself that the service fails, and that it works again. It stays ready, because
/// another instance would fail, too.
#[tokio::test]
async fn the_circuit_opens_and_closes_by_probes() {
    let world = world(|config| {
        config.upstream.failures = 3;
        config.upstream.open = Duration::from_millis(200);
        config.server.metrics_listen = Some(([127, 0, 0, 1], 0).into());
    })
    .await;
    for endpoint in [Endpoint::Create, Endpoint::List] {
        world.inject(unavailable().on(endpoint));
    }
    let refused = async |invoice: u32| {
        let order = order(json!({ "invoiceNumber": invoice.to_string() }));
        world.create(&paying(&order)).await
    };
    let mut invoice = 0;
    let answer = loop {
        invoice += 1;
        let answer = refused(invoice).await;
        if answer.problem().code == ProblemCode::ServiceUnavailable {
            break answer;
        }
        answer.is_refused_as(ProblemCode::ServiceFailed);
    };
    assert_eq!(answer.header("retry-after"), "1");
    assert!(is_open(&world, "create").await);
    assert!(!is_open(&world, "cancel").await);
    assert_eq!(world.get("/readyz").await.status, StatusCode::OK);
    assert_eq!(world.get(path::TOKENS).await.status, StatusCode::OK);

    world.sandbox.controls().clear_faults();
    let creates = world.calls(Endpoint::Create);
    while is_open(&world, "create").await {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(world.calls(Endpoint::Create), creates);
    assert_eq!(refused(0).await.status, StatusCode::OK);
}

/// Whether the metrics say that the circuit of an endpoint is open.
async fn is_open(world: &World, endpoint: &str) -> bool {
    let address = world.proxy.metrics_address().unwrap();
    let text = reqwest::get(format!("http://{address}/metrics")).await;
    let text = text.unwrap().text().await.unwrap();
    let name = format!("tender_circuit_open{{endpoint=\"{endpoint}\"}} ");
    let value = text.lines().find_map(|line| line.strip_prefix(&name));
    value.expect("the circuit's metric") == "1"
}

/// The cause may be in the requests: one buyer must not stop the others.
#[tokio::test]
async fn failing_requests_alone_do_not_block_others() {
    let world = world(|config| config.upstream.failures = 3).await;
    let mut payments = Vec::new();
    for number in 0..3 {
        let order = order(json!({ "invoiceNumber": format!("OPEN-{number}") }));
        let created = world.create(&paying(&order)).await;
        payments.push((created.transaction_id(), created.receipt()));
    }
    world.inject(unavailable().on(Endpoint::Cancel));
    for (id, receipt) in payments.iter().cycle().take(12) {
        let answer = world.cancel(id, receipt).await;
        answer.is_refused_as(ProblemCode::ServiceFailed);
    }
    world.inject(unavailable().on(Endpoint::Create));
    for number in 0..10 {
        let order = order(json!({ "invoiceNumber": format!("ODD-{number}") }));
        let answer = world.create(&paying(&order)).await;
        answer.is_refused_as(ProblemCode::ServiceFailed);
    }
    world.sandbox.controls().clear_faults();
    let answer = world.create(&paying(&order(json!({})))).await;
    assert_eq!(answer.status, StatusCode::OK);
}

/// It is polled again and again for open streams.
#[tokio::test]
async fn a_failing_list_does_not_block_payments() {
    let world = world(|config| config.upstream.failures = 3).await;
    world.inject(unavailable().on(Endpoint::List));
    for _ in 0..3 {
        world
            .list("")
            .await
            .is_refused_as(ProblemCode::ServiceFailed);
    }
    while world.list("").await.problem().code != ProblemCode::ServiceUnavailable {}
    let answer = world.create(&paying(&order(json!({})))).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(world.get("/readyz").await.status, StatusCode::OK);
}

/// The service refuses one buyer's request but works for all others.
#[tokio::test]
async fn refusals_do_not_open_the_breaker() {
    let world = world(|config| config.upstream.failures = 2).await;
    world.inject(
        Fault::respond(StatusCode::BAD_REQUEST, "")
            .on(Endpoint::List)
            .times(NonZeroU32::new(5).unwrap()),
    );
    for _ in 0..5 {
        world
            .list("")
            .await
            .is_refused_as(ProblemCode::ServiceRefused);
    }
    assert_eq!(world.list("").await.status, StatusCode::OK);
}

#[tokio::test]
async fn concurrent_creates_are_limited() {
    let world = world(|config| config.upstream.max_creates = 2).await;
    let slow = Fault::new(Outcome::Handle).delay_ms(4000);
    world.inject(slow.on(Endpoint::Create));
    let body = |number: u64| paying(&order(json!({ "invoiceNumber": number.to_string() })));
    let mut first = Vec::new();
    for number in 0..2 {
        let request = world.post(path::PAYMENT, &body(number));
        first.push(tokio::spawn(Answer::to(request)));
        world.until_called(Endpoint::Create, number + 1).await;
    }
    let answer = world.create(&body(2)).await;
    answer.is_refused_as(ProblemCode::Overloaded);
    assert_eq!(answer.header("retry-after"), "1");
    for answer in first {
        assert_eq!(answer.await.unwrap().status, StatusCode::OK);
    }
    // A refused buyer can try again.
    assert_eq!(world.create(&body(2)).await.status, StatusCode::OK);
    assert_eq!(world.calls(Endpoint::Create), 3);
}
