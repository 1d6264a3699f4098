//! A payment survives reloads, other tabs and navigation.
//!
//! The shop signs the order again for each page view; it remains the same order.

use tender_protocol::Payment;
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::support::{Browser, Checkout, STATUS_PAID, Scenery, Servers, Stage};

const TOKEN: &str = "Bitcoin, Bitcoin";

/// Chooses and submits on this page, and returns the payment.
async fn pay(servers: &Servers, browser: &Browser, page: &str) -> Payment {
    let checkout = browser.visit(page).await;
    checkout.pay_with(TOKEN).await;
    checkout.amount().await;
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

    browser.driver().refresh().await.unwrap();
    shows(&browser.checkout("tender-checkout").await, &payment).await;
    browser
        .driver()
        .goto(servers.page("elsewhere"))
        .await
        .unwrap();
    browser.driver().back().await.unwrap();
    shows(&browser.checkout("tender-checkout").await, &payment).await;
    shows(&browser.visit(&page).await, &payment).await;

    servers.only_payment();
    assert_eq!(servers.requests(Endpoint::Create).received, 1);
}

/// A new tab has no saved state, but the proxy knows the payment.
#[tokio::test(flavor = "multi_thread")]
async fn in_a_second_tab() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let page = servers.shop_page("invoice=INV-1042");
    let payment = pay(&servers, &browser, &page).await;

    let driver = browser.driver();
    let tab = driver.new_tab().await.unwrap();
    driver.switch_to_window(tab).await.unwrap();
    shows(&browser.visit(&page).await, &payment).await;
    servers.only_payment();
}

/// A phone stops the page while the buyer pays in the wallet's app.
#[tokio::test(flavor = "multi_thread")]
async fn after_the_browser_has_frozen_the_page() {
    let stage = Stage::open("en").await;
    let checkout = stage.pay(TOKEN, Scenery::default()).await;
    let id = stage.servers.only_payment().transaction_id;
    let browser = &stage.browser;
    browser.while_frozen(|| stage.set_status(STATUS_PAID)).await;
    stage.reads(&checkout, "paid").await;
    let event = browser.event("tender-paid").await;
    assert_eq!(event.detail["payment"]["transactionId"], id);
}

/// The buyer reloads the page during a slow create request.
#[tokio::test(flavor = "multi_thread")]
async fn while_it_is_being_created() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let slow = Fault::new(Outcome::Handle)
        .on(Endpoint::Create)
        .delay_ms(1500);
    servers.service().inject(slow);
    let checkout = browser.visit(&servers.shop_page("invoice=INV-1042")).await;
    checkout.pay_with(TOKEN).await;
    browser.driver().refresh().await.unwrap();
    let checkout = browser.checkout("tender-checkout").await;
    checkout.is_choosing().await;
    checkout.submit().await.click().await.unwrap();
    let amount = checkout.amount().await;
    assert_eq!(amount, servers.only_payment().quantity_pay.to_string());
    assert_eq!(servers.requests(Endpoint::Create).received, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn but_not_at_a_price_that_the_shop_has_changed() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let order = |quantity: &str| {
        let claims = serde_json::json!({
            "token": "usdtt", "quantity": quantity, "invoiceNumber": "INV-7",
        });
        servers.checkout_page(&format!("order=\"{}\"", servers.sign(claims)))
    };
    let before = pay(&servers, &browser, &order("10")).await;

    let checkout = browser.visit(&order("12")).await;
    checkout.pay_with(TOKEN).await;
    checkout.amount().await;
    let [now, cancelled] = &servers.payments()[..] else {
        panic!("the payment before, and the one at the new price");
    };
    assert_eq!(cancelled.transaction_id, before.transaction_id);
    assert_eq!(cancelled.status.text(), "Cancelled");
    assert_eq!(now.quantity.to_string(), "12");
    shows(&checkout, now).await;
}
