//! Tests of the controls, except faults.

use reqwest::{Method, StatusCode};
use serde_json::json;
use tender_protocol::{Amount, Status, path};
use tender_sandbox::{Config, Fault, Outcome, Refusal, Sandbox};

use crate::support::{Caller, in_time, webhook};

#[tokio::test]
async fn a_status_can_be_set() {
    let caller = Caller::new().await;
    let payment = caller.create(json!({})).await;
    let path = format!("/sandbox/payments/{}/status", payment.transaction_id);
    let paid = json!({ "statusId": "2", "statusText": "Paid" }).to_string();
    let answer = caller.call(Method::PUT, &path, &paid).await;
    assert_eq!(answer.payment().status, Status::new("2", "Paid").unwrap());
    assert_eq!(caller.get(path::LIST).await.payments(), [answer.payment()]);

    let nothing = json!({ "statusId": "", "statusText": "" }).to_string();
    let answer = caller.call(Method::PUT, &path, &nothing).await;
    answer.assert_refused(400, "invalid_field", Some("statusId"));
    let unknown = caller
        .call(Method::PUT, "/sandbox/payments/none/status", &paid)
        .await;
    unknown.assert_refused(404, "unknown_payment", None);
}

#[tokio::test]
async fn only_valid_amounts_can_be_sent() {
    let caller = Caller::new().await;
    let open = json!({ "token": "usdtt", "paymentToken": "btc", "itemNumber": "0" });
    let payment = caller.create(open).await;
    let send = format!("/sandbox/payments/{}/send", payment.transaction_id);
    for amount in [json!(0), json!("0.000000001")] {
        let answer = caller.post(&send, &json!({ "amount": amount })).await;
        answer.assert_refused(400, "invalid_field", Some("amount"));
    }
    let negative = caller.post(&send, &json!({ "amount": -1 })).await;
    negative.assert_refused(400, "invalid_json", None);
    let unknown = caller
        .post("/sandbox/payments/none/send", &json!({ "amount": 1 }))
        .await;
    unknown.assert_refused(404, "unknown_payment", None);
    let too_large: Amount = "9".repeat(128).parse().unwrap();
    let refused = caller.controls().send(&payment.transaction_id, &too_large);
    assert!(matches!(
        refused,
        Err(Refusal::InvalidField {
            field: "amount",
            ..
        })
    ));
    // A refused request changes nothing.
    let entry = caller.controls().payment(&payment.transaction_id).unwrap();
    assert_eq!((entry.payment, entry.sent), (payment, None));
}

#[tokio::test]
async fn the_token_listing_can_be_anything() {
    let caller = Caller::new().await;
    let usual = caller.get_rates(path::TOKENS).await.body;
    let hostile = r#"[ {"token": "btc", "name": "<script>alert(1)</script>"}, 7, "#;
    let replaced = caller.call(Method::PUT, "/sandbox/tokens", hostile).await;
    assert_eq!(replaced.status, StatusCode::NO_CONTENT);
    let listing = caller.get_rates(path::TOKENS).await;
    assert_eq!(listing.content_type, "application/json");
    assert_eq!(listing.body, hostile);

    let large = " ".repeat(3 << 20);
    caller.call(Method::PUT, "/sandbox/tokens", &large).await;
    assert_eq!(caller.get_rates(path::TOKENS).await.body, large);

    caller.call(Method::DELETE, "/sandbox/tokens", "").await;
    assert_eq!(caller.get_rates(path::TOKENS).await.body, usual);
}

#[tokio::test]
async fn the_state_shows_all_payments_and_counts_calls() {
    let caller = Caller::new().await;
    for _ in 0..21 {
        caller.create(json!({})).await;
    }
    caller.get(path::LIST).await;
    let state = caller.get("/sandbox/state").await.json();
    assert_eq!(state["payments"].as_array().unwrap().len(), 21);
    assert_eq!(state["payments"][0]["payment"]["invoiceNumber"], "INV-1042");
    assert_eq!(
        state["payments"][0]["notification"],
        json!({ "state": "noWebhook" })
    );
    assert_eq!(
        state["requests"],
        json!({
            "create": { "received": 21, "handled": 21 },
            "list": { "received": 1, "handled": 1 },
        })
    );
}

#[tokio::test]
async fn a_reset_keeps_only_the_configuration() {
    let (url, mut arrivals) = webhook(StatusCode::OK).await;
    let config = Config {
        webhook: Some(url),
        ..Config::on_free_ports()
    };
    let caller = Caller::with(config).await;
    let forgotten = caller.create(json!({})).await;
    arrivals.next().await;
    let controls = caller.controls();
    controls.inject(Fault::new(Outcome::DropRequest));
    controls.replace_tokens("[]");
    controls.set_webhook(None);

    controls.reset();
    let state = controls.state();
    assert!(state.payments.is_empty() && state.requests.is_empty() && state.faults.is_empty());
    assert_ne!(caller.get_rates(path::TOKENS).await.body, "[]");
    let unknown = caller.notification(&forgotten.transaction_id).await;
    assert_eq!(
        unknown,
        Err(Refusal::UnknownPayment(forgotten.transaction_id))
    );
    caller.create(json!({})).await;
    arrivals.next().await;
}

#[tokio::test]
async fn a_stopped_sandbox_frees_its_address() {
    let caller = Caller::new().await;
    caller.create(json!({})).await;
    let base_url = caller.base_url().to_owned();
    let list = format!("{base_url}{}", path::LIST);
    in_time(caller.into_sandbox().stop()).await;
    let down = reqwest::get(&list).await.unwrap_err();
    assert!(down.is_connect(), "{down:?}");

    let config = Config {
        listen: base_url.strip_prefix("http://").unwrap().parse().unwrap(),
        ..Config::on_free_ports()
    };
    let up = Sandbox::start(config).await.unwrap();
    assert_eq!(up.base_url(), base_url);
    assert_eq!(
        reqwest::get(&list).await.unwrap().text().await.unwrap(),
        "[]"
    );
}

#[tokio::test]
async fn a_dropped_sandbox_stops_too() {
    let caller = Caller::new().await;
    let list = format!("{}{}", caller.base_url(), path::LIST);
    drop(caller.into_sandbox());
    in_time(async {
        while !reqwest::get(&list).await.is_err_and(|it| it.is_connect()) {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn an_address_in_use_is_named_with_its_flag() {
    let sandbox = Sandbox::start(Config::on_free_ports()).await.unwrap();
    let taken = sandbox.rates_base_url().strip_prefix("http://").unwrap();
    let config = Config {
        rates_listen: taken.parse().unwrap(),
        ..Config::on_free_ports()
    };
    let failure = Sandbox::start(config).await.err().unwrap().to_string();
    assert!(
        failure.contains(taken) && failure.contains("--rates-listen"),
        "{failure}"
    );
}
