//! A payment survives reloads and navigation.
//!
//! The shop signs the order again for each page view; it remains the same order.

use tender_protocol::Payment;
use tender_sandbox::Endpoint;

use crate::support::{Browser, Checkout, STATUS_PAID, Scenery, Servers, Stage};

const TOKEN: &str = "Bitcoin, Bitcoin";

/// Asserts that the checkout shows this payment.
async fn shows(checkout: &Checkout<'_>, payment: &Payment) {
    let amount = checkout.amount().await;
    assert_eq!(amount, payment.quantity_pay.to_string());
    assert_eq!(checkout.text_of("wallet").await, payment.wallet);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_reload_and_by_the_way_back() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let page = servers.shop_page("invoice=INV-1042");
    browser.pay(&page, TOKEN).await;
    // From the skeleton to the payment, under the sample shop's policy.
    assert_eq!(browser.refused_by_policy().await, [""; 0]);
    assert_eq!(browser.console_errors().await, [""; 0]);
    let payment = servers.only_payment();

    shows(&browser.reload().await, &payment).await;
    // A saved payment is shown next, so no form is requested.
    let forms = "return performance.getEntriesByType('resource')
        .filter(({ name }) => name.includes('/v1/checkout.html')).length";
    let forms: u32 = browser.run(forms, []).await;
    assert_eq!(forms, 0);
    browser.go(servers.page("elsewhere")).await;
    browser.driver().back().await.unwrap();
    shows(&browser.checkout("tender-checkout").await, &payment).await;
    shows(&browser.visit(&page).await, &payment).await;

    servers.only_payment();
    assert_eq!(servers.requests(Endpoint::Create).received, 1);
}

/// A phone stops the page while the buyer pays in the wallet's app.
#[tokio::test(flavor = "multi_thread")]
async fn after_the_browser_has_frozen_the_page() {
    let stage = Stage::open("en").await;
    let checkout = stage.pay(TOKEN, Scenery::default()).await;
    let id = stage.servers.only_payment().transaction_id;
    let browser = &stage.browser;
    browser
        .while_frozen(|| stage.servers.set_status(STATUS_PAID))
        .await;
    stage.reads(&checkout, "paid").await;
    let event = browser.event("tender-paid").await;
    assert_eq!(event.detail["payment"]["transactionId"], id);
}
