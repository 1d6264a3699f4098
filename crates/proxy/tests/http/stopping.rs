//! Tests that a stop waits for requests in progress.

use axum::http::StatusCode;
use serde_json::json;
use tender_protocol::path;
use tender_sandbox::{Endpoint, Fault, Outcome};
use tokio::net::TcpStream;

use crate::support::{Answer, World, order, paying};

#[tokio::test]
async fn a_stop_waits_for_responses() {
    let world = World::new().await;
    world.inject(Fault::new(Outcome::Handle).delay_ms(300));
    let request = world.post(path::PAYMENT, &paying(&order(json!({}))));
    let buyer = tokio::spawn(Answer::to(request));
    world.until_called(Endpoint::Create, 1).await;

    let address = world.proxy.address();
    assert!(world.proxy.stop().await);
    assert_eq!(buyer.await.unwrap().status, StatusCode::OK);
    TcpStream::connect(address).await.unwrap_err();
}

#[tokio::test]
async fn a_stop_waits_for_payments_without_a_client() {
    let world = World::new().await;
    world.inject(Fault::new(Outcome::Handle).delay_ms(300));
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
