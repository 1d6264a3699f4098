//! Tests of the faults. Those of the proxy prove what each outcome does to its caller (`lost_responses`).

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::json;
use tender_protocol::path;
use tender_sandbox::{Endpoint, Fault, Outcome, Requests};

use crate::support::{Answer, Caller, in_time, order};

async fn create(caller: &Caller) -> reqwest::Result<Answer> {
    let body = order(json!({})).to_string();
    caller.try_call(Method::POST, path::PAYMENT, &body).await
}

/// Checks that the connection was closed without a response.
fn assert_dropped(result: reqwest::Result<Answer>) {
    let error = result.map(|answer| answer.body).unwrap_err();
    assert!(error.is_request() && error.status().is_none(), "{error:?}");
    assert!(!error.is_connect() && !error.is_timeout(), "{error:?}");
}

/// Checks only a lower bound, so that it can't fail on a slow machine.
#[tokio::test]
async fn a_delayed_call_succeeds() {
    let caller = Caller::new().await;
    for fault in [Fault::default().delay_ms(60), Fault::default().hold_ms(60)] {
        caller.controls().inject(fault.once());
        let start = Instant::now();
        create(&caller).await.unwrap().payment();
        assert!(start.elapsed() >= Duration::from_millis(60));
    }
}

/// The caller gives up, and the call is handled later. If a slow machine sends the response first,
/// the payment exists as well.
#[tokio::test]
async fn a_delayed_call_is_handled_after_a_disconnect() {
    let caller = Caller::new().await;
    let controls = caller.controls();
    controls.inject(Fault::default().delay_ms(300).once());
    tokio::select! {
        _ = create(&caller) => {}
        () = until(|| !controls.state().requests.is_empty()) => {}
    }
    until(|| controls.state().payments.len() == 1).await;
}

async fn until(condition: impl Fn() -> bool) {
    in_time(async {
        while !condition() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_fault_affects_one_endpoint_or_all() {
    let caller = Caller::new().await;
    let failing = Fault::respond(StatusCode::BAD_GATEWAY, "{}");
    let failed = StatusCode::BAD_GATEWAY;
    caller.controls().inject(failing.clone().on(Endpoint::List));
    let payment = create(&caller).await.unwrap().payment();
    assert_eq!(caller.get(path::LIST).await.status, failed);
    assert_eq!(caller.get_rates(path::TOKENS).await.status, StatusCode::OK);

    caller.controls().inject(failing);
    for answer in [
        create(&caller).await.unwrap(),
        caller.cancel(&payment.transaction_id).await,
        caller.get(path::LIST).await,
        caller.get_rates(path::TOKENS).await,
    ] {
        assert_eq!(answer.status, failed);
    }
}

#[tokio::test]
async fn faults_apply_in_order() {
    let caller = Caller::new().await;
    let twice = NonZeroU32::new(2).unwrap();
    let controls = caller.controls();
    controls.inject(Fault::respond(StatusCode::INTERNAL_SERVER_ERROR, "{}").times(twice));
    controls.inject(Fault::new(Outcome::DropRequest).once());
    controls.inject(Fault::new(Outcome::DropAnswer).once());
    for _ in 0..2 {
        let answer = create(&caller).await.unwrap();
        assert_eq!(answer.status, StatusCode::INTERNAL_SERVER_ERROR);
    }
    // A reused keep-alive connection is closed, and then a new one.
    assert_dropped(create(&caller).await);
    assert!(controls.state().payments.is_empty());
    assert_dropped(create(&caller).await);
    assert_eq!(controls.state().payments.len(), 1);
    create(&caller).await.unwrap().payment();
    let calls = Requests {
        received: 5,
        handled: 2,
    };
    assert_eq!(controls.state().requests[&Endpoint::Create], calls);
    assert_eq!(controls.state().faults, []);
}
