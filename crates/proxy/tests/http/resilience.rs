//! Tests of retries and limits towards the service.

use std::sync::Arc;

use tokio::task::JoinSet;

use crate::prelude::*;

async fn world(change: impl FnOnce(&mut Config)) -> World {
    World::with(|config| {
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
    let times = |fault: &Fault, endpoint, times: u32| {
        let fault = fault.clone().on(endpoint);
        world.inject(fault.times(times.try_into().unwrap()));
    };
    for fault in [unavailable(), Fault::new(Outcome::DropAnswer)] {
        times(&fault, Endpoint::Tokens, 2);
        world.get(path::TOKENS).await.succeeds();
        times(&fault, Endpoint::List, 2);
        world.list("").await.succeeds();
    }
    assert_eq!(world.calls(Endpoint::Tokens), 6);
    assert_eq!(world.calls(Endpoint::List), 6);

    times(&unavailable(), Endpoint::Tokens, 3);
    let answer = world.get(path::TOKENS).await;
    answer.is_refused_as(ProblemCode::ServiceFailed);
}

/// Creates, cancels and refused requests are not retried.
#[tokio::test]
async fn nothing_else_is_retried() {
    let world = world(|config| config.upstream.retries = 2).await;
    // Set first, because a cancel triggers a poll of the list.
    world.inject(responds(Endpoint::List, StatusCode::FORBIDDEN, "").once());
    let refused = world.list("").await;
    refused.is_refused_as(ProblemCode::ServiceRefused);
    assert_eq!(world.calls(Endpoint::List), 1);

    world.inject(unavailable().on(Endpoint::Create).once());
    let answer = world.create(&paying(&order(json!({})))).await;
    answer.is_refused_as(ProblemCode::ServiceFailed);
    assert_eq!(world.calls(Endpoint::Create), 1);

    world.inject(unavailable().on(Endpoint::Cancel).once());
    let created = world.create(&paying(&order(json!({})))).await;
    let answer = world.cancel(&created.transaction_id(), MERCHANT_KEY).await;
    answer.is_refused_as(ProblemCode::ServiceFailed);
    assert_eq!(world.calls(Endpoint::Cancel), 1);
}

/// A service that hangs has no more than these calls of the proxy, and other calls still work.
#[tokio::test]
async fn concurrent_calls_are_limited() {
    const MOST: u64 = 64;
    let long = Duration::from_mins(1);
    let world = Arc::new(world(|config| config.upstream.timeout = long).await);
    let hangs = Fault::new(Outcome::Handle).delay_ms(60_000);
    world.inject(hangs.on(Endpoint::List));
    let mut calls = JoinSet::new();
    // Reads of one page would share calls.
    let page = |number| format!("?page={number}");
    for number in 1..=MOST {
        let world = Arc::clone(&world);
        calls.spawn(async move { world.list(&page(number)).await });
    }
    world.until_called(Endpoint::List, MOST).await;
    let another = world.list(&page(MOST + 1)).await;
    another.is_refused_as(ProblemCode::Overloaded);
    assert_eq!(world.calls(Endpoint::List), MOST);
    world.get(path::TOKENS).await.succeeds();
    world.create(&paying(&order(json!({})))).await.succeeds();
}
