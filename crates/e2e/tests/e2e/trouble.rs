//! The service fails, first for the listing and then for the create request. Each time the buyer sees an error, retries
//! after the failure, and ends up with one payment.

use std::time::Duration;

use axum::http::StatusCode;
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::support::{Browser, Checkout, Role, Servers};

const TOKEN: &str = "BNB, BNB Smart Chain";

const NO_TOKENS: &str = "Crypto payment is not available right now";
const NOT_STARTED: &str = "The payment was not started";

const FAILED: &str =
    "The payment service has a problem. Do not send any money yet; try again in a moment.";
const TOO_LONG: &str = "This is taking too long. Do not send any money yet; try again in a moment.";
const UNREACHABLE: &str =
    "We could not reach the payment service. Check your connection, then try again.";

#[tokio::test(flavor = "multi_thread")]
async fn the_service_refuses_connections() {
    let mut servers = Servers::open().await;
    let browser = Browser::start().await;
    servers.close_service().await;
    let checkout = browser.visit(&servers.shop_page("")).await;
    shows_failure(&checkout, NO_TOKENS, FAILED).await;
    servers.reopen_service().await;
    checkout.press("Try again").await;
    checkout.is_choosing().await;

    servers.close_service().await;
    checkout.pay_with(TOKEN).await;
    shows_failure(&checkout, NOT_STARTED, FAILED).await;
    servers.reopen_service().await;
    checkout.press("Try again").await;
    pays(&servers, &checkout).await;
    assert_eq!(error_codes(&browser).await, ["service-failed"; 2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_closes_the_connection_unasked() {
    meets(
        &Servers::open().await,
        &Fault::new(Outcome::DropRequest),
        FAILED,
        "service-failed",
    )
    .await;
}

/// The service created the payment before the retry.
#[tokio::test(flavor = "multi_thread")]
async fn the_service_s_answer_is_lost() {
    meets(
        &Servers::open().await,
        &Fault::new(Outcome::DropAnswer),
        FAILED,
        "service-failed",
    )
    .await;
}

/// The service created the payment before the retry.
#[tokio::test(flavor = "multi_thread")]
async fn the_service_answers_html() {
    meets(
        &Servers::open().await,
        &Fault::new(Outcome::Html),
        FAILED,
        "answer-unreadable",
    )
    .await;
}

/// The service created the payment before the retry.
#[tokio::test(flavor = "multi_thread")]
async fn the_service_answers_half_of_its_json() {
    meets(
        &Servers::open().await,
        &Fault::new(Outcome::Truncate),
        FAILED,
        "answer-unreadable",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_answers_500() {
    let fault = Fault::respond(
        StatusCode::INTERNAL_SERVER_ERROR,
        r#"{"error":"out of order"}"#,
    );
    meets(&Servers::open().await, &fault, FAILED, "service-failed").await;
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
    servers
        .service()
        .inject(fault.clone().on(Endpoint::Tokens).once());
    let checkout = browser.visit(&servers.shop_page("")).await;
    shows_failure(&checkout, NO_TOKENS, sentence).await;
    checkout.press("Try again").await;
    checkout.is_choosing().await;

    servers
        .service()
        .inject(fault.clone().on(Endpoint::Create).once());
    checkout.pay_with(TOKEN).await;
    shows_failure(&checkout, NOT_STARTED, sentence).await;
    checkout.press("Try again").await;
    pays(servers, &checkout).await;
    assert_eq!(error_codes(&browser).await, [code; 2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_proxy_is_down_between_the_choice_and_the_payment() {
    let mut servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.is_choosing().await;
    servers.close_proxy().await;
    checkout.pay_with(TOKEN).await;
    shows_failure(&checkout, NOT_STARTED, UNREACHABLE).await;
    servers.reopen_proxy().await;
    checkout.press("Try again").await;
    pays(&servers, &checkout).await;
    assert_eq!(error_codes(&browser).await, ["unreachable"]);
}

/// A request that the service rejects is not retried: the buyer chooses again.
#[tokio::test(flavor = "multi_thread")]
async fn the_service_refuses_the_payment() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let fault = Fault::respond(StatusCode::BAD_REQUEST, "{}").on(Endpoint::Create);
    servers.service().inject(fault.once());
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.pay_with("Bitcoin, Bitcoin").await;
    let sentence = "The payment service did not accept this payment. Choose another token, or \
                    contact the shop.";
    shows_failure(&checkout, NOT_STARTED, sentence).await;
    assert_eq!(
        checkout.names(Role::Button).await,
        ["Back", "Copy details for the shop"]
    );
    checkout.press("Back").await;
    checkout.pay_with(TOKEN).await;
    pays(&servers, &checkout).await;
}

/// The skeleton is shown while the listing loads; the button shows progress while the payment is created.
#[tokio::test(flavor = "multi_thread")]
async fn the_service_is_slow() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    // On a busy machine, the response may come before the check; the test then uses a longer delay.
    for seconds in [2, 8, 32] {
        servers.service().reset();
        let slow = |endpoint| {
            Fault::new(Outcome::Handle)
                .on(endpoint)
                .once()
                .delay_ms(seconds * 1000)
        };
        servers.service().inject(slow(Endpoint::Tokens));
        servers.service().inject(slow(Endpoint::Create));

        let checkout = browser.visit(&servers.shop_page("")).await;
        let waiting = checkout.names(Role::Status).await;
        let radios = checkout.names(Role::Radio).await;
        let in_time = browser.events().await.is_empty();
        checkout.pay_with(TOKEN).await;
        let submit = checkout.names(Role::Button).await;
        let in_time = in_time && servers.payments().is_empty();
        pays(&servers, &checkout).await;
        if in_time {
            assert_eq!(waiting.len(), 1, "the skeleton is there");
            assert!(radios.is_empty(), "{radios:?}");
            assert_eq!(submit, ["Preparing…"]);
            assert_eq!(
                browser.event_names().await,
                ["tender-ready", "tender-created"]
            );
            return;
        }
    }
    panic!("this machine is too slow to check a page within half a minute");
}

async fn shows_failure(checkout: &Checkout<'_>, title: &str, sentence: &str) {
    assert_eq!(checkout.alert().await, format!("{title} {sentence}"));
}

/// Asserts that the payment is shown, and that it is the only one.
async fn pays(servers: &Servers, checkout: &Checkout<'_>) {
    let amount = checkout.amount().await;
    let payment = servers.only_payment();
    assert_eq!(amount, payment.quantity_pay.to_string());
    assert_eq!(checkout.text_of("wallet").await, payment.wallet);
}

/// The codes of the error events, each of which must be retryable.
async fn error_codes(browser: &Browser) -> Vec<String> {
    let events = browser.events().await.into_iter();
    let errors = events.filter(|event| event.name == "tender-error");
    errors
        .map(|error| {
            assert_eq!(error.detail["retryable"], true);
            error.detail["code"].as_str().unwrap().to_owned()
        })
        .collect()
}
