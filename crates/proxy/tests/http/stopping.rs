//! Tests that a stop waits for requests in progress.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::prelude::*;

#[tokio::test]
async fn a_stop_waits_for_payments_without_a_client() {
    let world = World::new().await;
    world.inject(Fault::new(Outcome::Handle).delay_ms(2000));
    let request = world.post(path::PAYMENT, &paying(&order(json!({}))));
    let buyer = tokio::spawn(request.send());
    world.until_called(Endpoint::Create, 1).await;
    buyer.abort();
    assert!(buyer.await.unwrap_err().is_cancelled());

    assert!(world.proxy.stop().await);
    // The sandbox delays the creation, so the proxy must have waited for it.
    let state = world.sandbox.controls().state();
    assert_eq!(state.payments.len(), 1);
}

/// The load balancer must send no more buyers, while the last request is still in progress.
#[tokio::test]
async fn a_stopping_proxy_is_not_ready() {
    let world = World::with(|config| {
        config.server.metrics_listen = Some(([127, 0, 0, 1], 0).into());
    })
    .await;
    world.get("/readyz").await.succeeds();
    let gate = Gate::closed();
    world.inject(Fault::new(Outcome::Handle).behind(&gate));
    let request = world.post(path::PAYMENT, &paying(&order(json!({}))));
    let buyer = tokio::spawn(Answer::to(request));
    world.until_called(Endpoint::Create, 1).await;
    // A check whose headers are still arriving on the address for buyers.
    let address = world.proxy.address();
    let mut check = TcpStream::connect(address).await.unwrap();
    check.write_all(b"GET /readyz HTTP/1.1\r\n").await.unwrap();
    world.get("/healthz").await.succeeds();

    let health = world.proxy.metrics_address().unwrap();
    let http = reqwest::Client::new();
    let get = async |path: &str| Answer::to(http.get(format!("http://{health}{path}"))).await;
    assert_eq!(get("/readyz").await.status, StatusCode::OK);
    let stopping = tokio::spawn(world.proxy.stop());
    // The task starts while this one waits. Without the problem, the loop ends when the address closes.
    while get("/readyz").await.status == StatusCode::OK {}
    let answer = get("/readyz").await;
    answer.is_refused_as(ProblemCode::Stopping);
    assert_eq!(get("/healthz").await.status, StatusCode::OK);
    check.write_all(b"Host: a\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    check.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    assert!(!buyer.is_finished() && !stopping.is_finished());
    gate.open();
    assert_eq!(buyer.await.unwrap().status, StatusCode::OK);
    assert!(stopping.await.unwrap());
    TcpStream::connect(address).await.unwrap_err();
}

/// The load balancer has not noticed yet, so new connections are still served.
#[tokio::test]
async fn a_draining_proxy_is_not_ready_and_serves_requests() {
    let world = World::with(|config| config.server.drain = Duration::from_hours(1)).await;
    let url = |path: &str| format!("http://{}{path}", world.proxy.address());
    let (ready, created) = (url("/readyz"), url(path::PAYMENT));
    world.get("/readyz").await.succeeds();
    let stopping = tokio::spawn(world.proxy.stop());
    let get = async || Answer::to(reqwest::Client::new().get(&ready)).await;
    // The task starts while this one waits.
    let not_ready =
        until(async || Some(get().await).filter(|it| it.status != StatusCode::OK)).await;
    not_ready.is_refused_as(ProblemCode::Stopping);
    let body = paying(&order(json!({})));
    let create = reqwest::Client::new().post(&created).json(&body);
    Answer::to(create).await.succeeds();
    assert!(!stopping.is_finished());
    stopping.abort();
}
