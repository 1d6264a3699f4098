//! Test mode.

use tender_checkout_core::QrCode;
use tender_checkout_core::payment_uri::TEST_TEXT;

use super::browser::Browser;
use crate::prelude::*;

#[tokio::test]
async fn each_page_says_it_and_shows_nothing_to_pay() {
    let world = World::with(|config| config.upstream.test_mode = true).await;
    let (mut browser, form) = Browser::with_form(&world).await;
    let payment = browser.submit(&[("payment-token", "btc")]).await;
    // A reload reads the payment from the ledger.
    let again = browser.reload().await;
    for page in [&form, &payment, &again] {
        page.has("Test mode: no real money. Don't send any.");
    }
    payment.has(&QrCode::of(TEST_TEXT).unwrap().path);
    for link in ["bitcoin:", "open-wallet"] {
        payment.has_no(link);
    }
    browser.click(&payment, "Cancel payment").await;
    let cancelled = browser.submit(&[("action", "cancel")]).await;
    cancelled.has("Test mode: ");
}
