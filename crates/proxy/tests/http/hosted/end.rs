//! Cancelling, and paying with another token.

use axum::http::StatusCode;
use serde_json::json;
use tender_sandbox::{Endpoint, Fault};

use super::browser::{Browser, link, refresh};
use crate::support::{World, order};

#[tokio::test]
async fn a_payment_is_cancelled_after_a_confirmation() {
    let world = World::new().await;
    let mut browser = Browser::new(&world);
    browser.open_order(&order(json!({}))).await;
    let payment = browser.submit(&[("payment-token", "trx")]).await;
    let asked = browser.open(&link(&payment.body, "Cancel payment")).await;
    assert!(
        asked.body.contains("Cancel this payment?"),
        "{}",
        asked.body
    );
    assert_eq!(refresh(&asked), "");
    assert_eq!(world.calls(Endpoint::Cancel), 0);
    let kept = browser.open(&link(&asked.body, "Keep it")).await;
    assert!(kept.body.contains("Send exactly"), "{}", kept.body);

    browser.open(&link(&kept.body, "Cancel payment")).await;
    let cancelled = browser.submit(&[("action", "cancel")]).await;
    assert!(
        cancelled.body.contains("Payment cancelled"),
        "{}",
        cancelled.body
    );
    assert_eq!(refresh(&cancelled), "");
    assert_eq!(world.payments()[0].status.text(), "Cancelled");
    // A repeated form, and a reload, ask for no money.
    for _ in 0..2 {
        let again = browser.submit(&[("action", "cancel")]).await;
        assert!(!again.body.contains("Send exactly"), "{}", again.body);
    }
    assert_eq!(world.calls(Endpoint::Cancel), 1);

    // The order is free.
    let form = browser
        .open(&link(&cancelled.body, "Start a new payment"))
        .await;
    assert!(form.body.contains("payment-token"), "{}", form.body);
    let other = browser.submit(&[("payment-token", "btc")]).await;
    assert!(other.body.contains("Send exactly"), "{}", other.body);
    assert_eq!((world.payments().len(), world.open().len()), (2, 1));
}

#[tokio::test]
async fn another_token_replaces_the_payment() {
    let world = World::new().await;
    let mut browser = Browser::new(&world);
    browser.open_order(&order(json!({}))).await;
    let payment = browser.submit(&[("payment-token", "trx")]).await;
    let form = browser
        .open(&link(&payment.body, "Use another token"))
        .await;
    assert!(form.body.contains("is still open"), "{}", form.body);
    assert!(form.body.contains(" checked"), "{}", form.body);
    let back = link(&form.body, "Back to the payment");
    // The same token is the same payment.
    browser.submit(&[("payment-token", "trx")]).await;
    let (address, _) = back.split_once("&payment=").unwrap();
    assert_eq!(browser.address, address);
    assert_eq!(world.calls(Endpoint::Create), 1);

    browser
        .open(&link(&payment.body, "Use another token"))
        .await;
    let other = browser.submit(&[("payment-token", "btc")]).await;
    assert!(other.body.contains("Send exactly"), "{}", other.body);
    assert_eq!((world.payments().len(), world.open().len()), (2, 1));
}

#[tokio::test]
async fn a_cancellation_without_a_response_is_not_called_one() {
    let world = World::new().await;
    let mut browser = Browser::new(&world);
    browser.open_order(&order(json!({}))).await;
    browser.submit(&[("payment-token", "trx")]).await;
    world.inject(
        Fault::respond(StatusCode::SERVICE_UNAVAILABLE, "")
            .on(Endpoint::Cancel)
            .once(),
    );
    let failed = browser.submit(&[("action", "cancel")]).await;
    assert!(failed.status.is_server_error(), "{}", failed.status);
    assert!(
        failed
            .body
            .contains("know whether the payment was cancelled"),
        "{}",
        failed.body
    );
    assert!(
        !failed.body.contains("Payment cancelled"),
        "{}",
        failed.body
    );
}
