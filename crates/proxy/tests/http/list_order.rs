//! Tests of the search for a payment whose response was lost, in a list whose order is not the one that
//! its pages suggest. The service documents that "the first page holds the last 20 payments", and
//! nothing about any other order.

use std::collections::HashMap;

use axum::extract::Query;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::json;
use tender_protocol::{PAGE_SIZE, Payment, Status, path};
use tender_sandbox::Outcome;
use tokio::net::TcpListener;

use crate::lost_responses::lose;
use crate::recognition::invoice;
use crate::support::World;

/// A service with these payments. It creates one that a test recognises.
async fn service(payments: Vec<Payment>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let list = async move |Query(query): Query<HashMap<String, usize>>| {
        let pages: Vec<_> = payments.chunks(PAGE_SIZE).collect();
        let page = pages.get(query["page"] - 1).copied();
        Json(json!(page.unwrap_or_default()))
    };
    let router = Router::new().route(path::LIST, get(list)).route(
        path::PAYMENT,
        post(async || Json(json!({ "transactionId": "second" }))),
    );
    tokio::spawn(axum::serve(listener, router).into_future());
    address
}

/// Payments of this proxy: some before and some after one whose response was lost. All others are
/// paid. The list of them, newest first, is arranged; the lost one is found all the same.
async fn finds_in(before: usize, after: usize, arrange: impl FnOnce(&mut Vec<Payment>)) {
    let mut world = World::persistent(|_| {}).await;
    for number in 0..before {
        world
            .create(&invoice(&format!("B-{number}")))
            .await
            .record();
    }
    lose(&world, Outcome::DropAnswer, &invoice("INV-1")).await;
    let lost = world.payments().remove(0);
    for number in 0..after {
        world
            .create(&invoice(&format!("A-{number}")))
            .await
            .record();
    }
    let mut payments = world.payments();
    for payment in &mut payments {
        if payment.transaction_id != lost.transaction_id {
            payment.status = Status::new("2", "Paid").unwrap();
        }
    }
    arrange(&mut payments);
    let address = service(payments).await;
    let earlier = world
        .replace_proxy(|config| config.upstream.base_url = address.parse().unwrap())
        .await;
    let found = world.create(&invoice("INV-1")).await;
    assert_eq!(found.transaction_id(), lost.transaction_id);
    earlier.stop().await;
}

/// For example by the time of the last change.
#[tokio::test]
async fn a_payment_behind_older_ones_is_found() {
    finds_in(30, 3, |payments| {
        payments.sort_by_key(|payment| payment.status == Status::Created);
    })
    .await;
}

#[tokio::test]
async fn a_payment_before_newer_ones_is_found() {
    finds_in(5, 45, |payments| {
        payments.sort_by_key(|payment| payment.status != Status::Created);
    })
    .await;
}
