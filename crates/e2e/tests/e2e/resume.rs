//! A payment survives reloads, other tabs and navigation.
//!
//! The shop signs the order again for each page view; it remains the same order.

use tender_protocol::Payment;
use tender_sandbox::Endpoint;

use crate::support::{Browser, Checkout, STATUS_PAID, Scenery, Servers, Stage};

const TOKEN: &str = "Bitcoin, Bitcoin";

/// Chooses and submits on this page, and returns the payment.
async fn pay(servers: &Servers, browser: &Browser, page: &str) -> Payment {
    browser.pay(page, TOKEN).await;
    servers.only_payment()
}

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
    let payment = pay(&servers, &browser, &page).await;

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

/// A new tab has no saved state, but the proxy knows the payment.
#[tokio::test(flavor = "multi_thread")]
async fn in_a_second_tab_which_cancels_it() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let page = servers.shop_page("invoice=INV-1042");
    let payment = pay(&servers, &browser, &page).await;
    let checkout = browser.checkout("tender-checkout").await;

    let first = browser.open_tab().await;
    let other = browser.visit(&page).await;
    shows(&other, &payment).await;
    servers.only_payment();
    other.cancel().await;
    other.reads("Payment cancelled").await;

    browser.switch_to(first).await;
    checkout.reads("This payment is closed").await;
    for part in ["wallet", "qr", "copy", "cancel"] {
        assert!(checkout.parts(part).await.unwrap().is_empty(), "{part}");
    }
    let closed = browser.event("tender-closed").await.detail;
    assert_eq!(closed["payment"]["state"], "closed");
    let checkout = browser.reload().await;
    checkout.press("Start a new payment").await;
    checkout.pay("TRON, TRON").await;
    assert_eq!(servers.payments().len(), 2);
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
