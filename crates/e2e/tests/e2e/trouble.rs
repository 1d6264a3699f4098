//! The service fails, first for the listing and then for the create request. Each time the buyer sees an error, retries
//! after the failure, and ends up with one payment.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::json;
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::support::{Browser, Servers};

const TOKEN: &str = "BNB, BNB Smart Chain";

const FAILED: &str =
    "The payment service has a problem. Do not send any money yet; try again in a moment.";
const TOO_LONG: &str = "This is taking too long. Do not send any money yet; try again in a moment.";

#[tokio::test(flavor = "multi_thread")]
async fn what_failed_is_tried_again() {
    let error = r#"{"error":"out of order"}"#;
    for (fault, code) in [
        (Fault::new(Outcome::DropRequest), "service-failed"),
        (
            Fault::respond(StatusCode::INTERNAL_SERVER_ERROR, error),
            "service-failed",
        ),
        // With these, the service has created the payment before the retry.
        (Fault::new(Outcome::DropAnswer), "service-failed"),
        (Fault::new(Outcome::Html), "answer-unreadable"),
        (Fault::new(Outcome::Truncate), "answer-unreadable"),
    ] {
        meets(&Servers::open().await, &fault, FAILED, code).await;
    }
}

/// The service created the payment before the retry.
#[tokio::test(flavor = "multi_thread")]
async fn the_service_takes_longer_than_the_proxy_waits() {
    let servers = Servers::open_with(|proxy| proxy.upstream.timeout = Duration::from_secs(1)).await;
    let fault = Fault::new(Outcome::Handle).hold_ms(600_000);
    meets(&servers, &fault, TOO_LONG, "timeout").await;
}

/// A fault that affects the listing once, and the create request once.
async fn meets(servers: &Servers, fault: &Fault, sentence: &str, code: &str) {
    let browser = Browser::start().await;
    // It has the listing, too.
    browser.block(&["*/v1/checkout.html*"]).await;
    servers.inject(Endpoint::Tokens, fault.clone());
    let checkout = browser.visit(&servers.shop_page("")).await;
    let title = "Crypto payment is not available right now";
    let alert = format!("{title} {sentence}");
    assert_eq!(checkout.alert().await, alert, "{fault:?}");
    checkout.press("Try again").await;
    checkout.is_choosing().await;

    servers.inject(Endpoint::Create, fault.clone());
    checkout.pay_with(TOKEN).await;
    let alert = format!("The payment was not started {sentence}");
    assert_eq!(checkout.alert().await, alert, "{fault:?}");
    checkout.press("Try again").await;
    let amount = checkout.amount().await;
    let payment = servers.only_payment();
    assert_eq!(amount, payment.quantity_pay.to_string());
    assert_eq!(checkout.text_of("wallet").await, payment.wallet);

    let events = browser.events().await.into_iter();
    let errors = events.filter(|event| event.name == "tender-error");
    let errors: Vec<_> = errors
        .map(|error| {
            (
                error.detail["code"].clone(),
                error.detail["retryable"].clone(),
            )
        })
        .collect();
    let expected = (json!(code), json!(true));
    assert_eq!(errors, [expected.clone(), expected], "{fault:?}");
}

/// A lost response, a second one, and another submit in between.
#[tokio::test(flavor = "multi_thread")]
async fn responses_that_are_lost_again_and_again_make_one_payment() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    for endpoint in [Endpoint::Create, Endpoint::List] {
        servers.inject(endpoint, Fault::new(Outcome::DropAnswer));
    }
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.pay_with(TOKEN).await;
    checkout.alert().await;
    checkout.press("Try again").await;
    checkout.alert().await;
    // Going back and forth continues the same attempt.
    checkout.press("Back").await;
    checkout.pay(TOKEN).await;
    let payment = servers.only_payment();
    assert_eq!(checkout.text_of("wallet").await, payment.wallet);
}
