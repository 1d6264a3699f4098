//! Cancelling, and paying with another token.

use super::browser::{Browser, link, refresh};
use crate::prelude::*;

#[tokio::test]
async fn a_payment_is_cancelled_after_a_confirmation() {
    let world = World::new().await;
    let (mut browser, payment) = Browser::with_payment(&world).await;
    let asked = browser.click(&payment, "Cancel payment").await;
    asked.has("Cancel this payment?");
    assert_eq!(refresh(&asked), "");
    asked.has_no("updates by itself");
    assert_eq!(world.calls(Endpoint::Cancel), 0);
    let kept = browser.click(&asked, "Keep it").await;
    kept.has("Send exactly");

    browser.click(&kept, "Cancel payment").await;
    let cancelled = browser.submit(&[("action", "cancel")]).await;
    cancelled.has("Payment cancelled");
    assert_eq!(refresh(&cancelled), "");
    assert_eq!(world.payments()[0].status.text(), "Cancelled");
    // A repeated form, and a reload, ask for no money.
    for _ in 0..2 {
        let again = browser.submit(&[("action", "cancel")]).await;
        again.has_no("Send exactly");
    }
    assert_eq!(world.calls(Endpoint::Cancel), 1);

    // The order is free.
    let form = browser.click(&cancelled, "Start a new payment").await;
    form.has("payment-token");
    let other = browser.submit(&[("payment-token", "btc")]).await;
    other.has("Send exactly");
    assert_eq!((world.payments().len(), world.open().len()), (2, 1));
}

#[tokio::test]
async fn another_token_replaces_the_payment() {
    let world = World::new().await;
    let (mut browser, payment) = Browser::with_payment(&world).await;
    let form = browser.click(&payment, "Use another token").await;
    form.has("is still open");
    form.has(" checked");
    let back = link(&form, "Back to the payment");
    // The same token is the same payment.
    browser.submit(&[("payment-token", "trx")]).await;
    let (address, _) = back.split_once("&payment=").unwrap();
    assert_eq!(browser.address, browser.address.join(address).unwrap());
    assert_eq!(world.calls(Endpoint::Create), 1);

    browser.click(&payment, "Use another token").await;
    let other = browser.submit(&[("payment-token", "btc")]).await;
    other.has("Send exactly");
    assert_eq!((world.payments().len(), world.open().len()), (2, 1));
}

#[tokio::test]
async fn a_cancellation_without_a_response_is_not_called_one() {
    let world = World::new().await;
    let (mut browser, _) = Browser::with_payment(&world).await;
    world.inject(responds(Endpoint::Cancel, StatusCode::SERVICE_UNAVAILABLE, "").once());
    let failed = browser.submit(&[("action", "cancel")]).await;
    assert!(failed.status.is_server_error(), "{}", failed.status);
    failed.has("know whether the payment was cancelled");
    failed.has_no("Payment cancelled");
    failed.has_no("Send exactly");
}
