//! Tests of the faults.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tender_protocol::{Listing, path};
use tender_sandbox::{CannedAnswer, Endpoint, Fault, Outcome, Requests};

use crate::support::{Answer, Caller, in_time, order};

async fn create(caller: &Caller) -> reqwest::Result<Answer> {
    let body = order(json!({})).to_string();
    caller.try_call(Method::POST, path::PAYMENT, &body).await
}

fn requests(caller: &Caller, endpoint: Endpoint) -> Requests {
    caller.controls().state().requests[&endpoint]
}

#[tokio::test]
async fn respond_does_not_handle_the_call() {
    let caller = Caller::new().await;
    caller
        .controls()
        .inject(Fault::new(Outcome::Respond(CannedAnswer {
            status: StatusCode::SERVICE_UNAVAILABLE,
            body: "out of order".to_owned(),
            content_type: "text/plain".to_owned(),
        })));
    let answer = create(&caller).await.unwrap();
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(answer.content_type, "text/plain");
    assert_eq!(answer.body, "out of order");
    assert!(caller.controls().state().payments.is_empty());
}

/// Checks that the connection was closed without a response.
fn assert_dropped(result: reqwest::Result<Answer>) {
    let error = result.map(|answer| answer.body).unwrap_err();
    assert!(error.is_request() && error.status().is_none(), "{error:?}");
    assert!(!error.is_connect() && !error.is_timeout(), "{error:?}");
}

#[tokio::test]
async fn drop_answer_closes_the_connection_after_handling() {
    let caller = Caller::new().await;
    let drop_answer = || {
        let fault = Fault::new(Outcome::DropAnswer).once();
        caller.controls().inject(fault);
    };
    drop_answer();
    assert_dropped(create(&caller).await);
    assert_eq!(caller.get(path::LIST).await.payments().len(), 1);
    // A reused keep-alive connection is closed like a new one.
    create(&caller).await.unwrap().payment();
    drop_answer();
    assert_dropped(create(&caller).await);
    let all = Requests {
        received: 3,
        handled: 3,
    };
    assert_eq!(requests(&caller, Endpoint::Create), all);
}

#[tokio::test]
async fn html_replaces_the_response() {
    let caller = Caller::new().await;
    caller.controls().inject(Fault::new(Outcome::Html));
    let answer = create(&caller).await.unwrap();
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.content_type, "text/html; charset=utf-8");
    assert!(
        answer.body.starts_with("<!doctype html>"),
        "{}",
        answer.body
    );
    assert_eq!(caller.controls().state().payments.len(), 1);
}

#[tokio::test]
async fn truncate_halves_the_response() {
    let caller = Caller::new().await;
    let whole = caller.get_rates(path::TOKENS).await;
    caller
        .controls()
        .inject(Fault::new(Outcome::Truncate).once());
    let half = caller.get_rates(path::TOKENS).await;
    assert_eq!(half.status, StatusCode::OK);
    assert_eq!(half.content_type, "application/json");
    assert_eq!(half.body, whole.body[..whole.body.len() / 2]);
    Listing::accepted(&half.body).unwrap_err();
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

/// Does not depend on timing: the caller disconnects while the response is delayed for an hour.
#[tokio::test]
async fn a_held_response_is_late_but_the_payment_exists() {
    let caller = Caller::new().await;
    caller
        .controls()
        .inject(Fault::default().hold_ms(3_600_000).once());
    tokio::select! {
        answer = create(&caller) => panic!("answered with {:?}", answer.map(|it| it.body)),
        () = payments(&caller, 1) => {}
    }
}

/// The caller gives up, and the call is handled later. If a slow machine sends the response first,
/// the payment exists as well.
#[tokio::test]
async fn a_delayed_call_is_handled_after_a_disconnect() {
    let caller = Caller::new().await;
    caller
        .controls()
        .inject(Fault::default().delay_ms(300).once());
    tokio::select! {
        _ = create(&caller) => {}
        () = received(&caller, 1) => {}
    }
    payments(&caller, 1).await;
}

async fn payments(caller: &Caller, count: usize) {
    until(|| caller.controls().state().payments.len() == count).await;
}

async fn received(caller: &Caller, count: u64) {
    until(|| {
        let state = caller.controls().state();
        state.requests.values().map(|it| it.received).sum::<u64>() == count
    })
    .await;
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
async fn a_fault_affects_only_its_endpoint() {
    let caller = Caller::new().await;
    let fault = Fault::respond(StatusCode::BAD_GATEWAY, "{}");
    caller.controls().inject(fault.on(Endpoint::List));
    create(&caller).await.unwrap().payment();
    assert_eq!(caller.get(path::LIST).await.status, StatusCode::BAD_GATEWAY);
    assert_eq!(caller.get_rates(path::TOKENS).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_fault_without_an_endpoint_affects_all_endpoints() {
    let caller = Caller::new().await;
    let payment = create(&caller).await.unwrap().payment();
    caller
        .controls()
        .inject(Fault::respond(StatusCode::BAD_GATEWAY, "{}"));
    for answer in [
        create(&caller).await.unwrap(),
        caller.cancel(&payment.transaction_id).await,
        caller.get(path::LIST).await,
        caller.get_rates(path::TOKENS).await,
    ] {
        assert_eq!(answer.status, StatusCode::BAD_GATEWAY);
    }
}

#[tokio::test]
async fn faults_apply_in_order() {
    let caller = Caller::new().await;
    let twice = NonZeroU32::new(2).unwrap();
    let controls = caller.controls();
    controls.inject(Fault::respond(StatusCode::INTERNAL_SERVER_ERROR, "{}").times(twice));
    controls.inject(Fault::new(Outcome::DropRequest).once());
    for _ in 0..2 {
        let answer = create(&caller).await.unwrap();
        assert_eq!(answer.status, StatusCode::INTERNAL_SERVER_ERROR);
    }
    assert_dropped(create(&caller).await);
    create(&caller).await.unwrap().payment();
    assert_eq!(
        requests(&caller, Endpoint::Create),
        Requests {
            received: 4,
            handled: 1
        }
    );
    assert_eq!(caller.controls().state().faults, []);
}

#[tokio::test]
async fn faults_are_set_and_cleared_over_http() {
    let caller = Caller::new().await;
    let fault = json!({
        "endpoint": "create", "times": 3, "delayMs": 1, "holdMs": 1,
        "outcome": { "respond": { "status": 418, "body": "{}" } },
    });
    let set = caller.post("/sandbox/faults", &fault).await;
    assert_eq!(set.status, StatusCode::NO_CONTENT);
    assert_eq!(create(&caller).await.unwrap().status, 418);
    let left = &caller.get("/sandbox/state").await.json()["faults"];
    assert_eq!(left[0]["times"], 2);
    let cleared = caller.call(Method::DELETE, "/sandbox/faults", "").await;
    assert_eq!(cleared.status, StatusCode::NO_CONTENT);
    create(&caller).await.unwrap().payment();

    for outcome in ["handle", "dropRequest", "dropAnswer", "html", "truncate"] {
        let set = caller
            .post("/sandbox/faults", &json!({ "outcome": outcome }))
            .await;
        assert_eq!(set.status, StatusCode::NO_CONTENT, "{outcome}");
    }
}

#[tokio::test]
async fn an_invalid_fault_is_refused() {
    let caller = Caller::new().await;
    let respond = |status: u16| json!({ "outcome": { "respond": { "status": status } } });
    let mistakes: [Value; 6] = [
        json!({ "time": 1 }),
        json!({ "times": 0 }),
        json!({ "endpoint": "payment" }),
        json!({ "outcome": "explode" }),
        respond(100),
        respond(600),
    ];
    for mistake in mistakes {
        let answer = caller.post("/sandbox/faults", &mistake).await;
        answer.assert_refused(400, "invalid_json", None);
    }
}
