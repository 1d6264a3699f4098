//! A payment that has ended: paid by a status that the operator has mapped, or cancelled in another tab.

use serde_json::json;
use tender_protocol::Status;

use crate::support::{Browser, Checkout, Servers};

const BITCOIN: &str = "Bitcoin, Bitcoin";
const TRX: &str = "TRON, TRON";
const PAID: &str = "Payment received";
const CLOSED: &str = "This payment is closed";

/// Asserts that the checkout shows an ended payment with this heading, and no place to send money to.
async fn has_ended(checkout: &Checkout<'_>, heading: &str) {
    checkout.reads(heading).await;
    for part in ["wallet", "qr", "copy", "cancel"] {
        let parts = checkout.select(&format!("[part~='{part}']")).await.unwrap();
        assert!(parts.is_empty(), "{part}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paid_payment_is_finished_after_a_reload_too() {
    let servers = Servers::open_with(|proxy| {
        proxy.orders.status_paid = vec!["Completed".to_owned()];
    })
    .await;
    let browser = Browser::start().await;
    let page = servers.shop_page("invoice=INV-1042");
    let checkout = browser.visit(&page).await;
    checkout.pay_with(BITCOIN).await;
    checkout.amount().await;
    let payment = servers.only_payment();
    let status = Status::new("2", "Completed").unwrap();
    let service = servers.service();
    service.set_status(&payment.transaction_id, status).unwrap();
    has_ended(&checkout, PAID).await;
    assert_eq!(checkout.amount().await, payment.quantity_pay.to_string());
    let event = browser.event("tender-paid").await.detail;
    assert_eq!(event["payment"]["state"], json!("paid"));

    browser.driver().refresh().await.unwrap();
    has_ended(&browser.checkout("tender-checkout").await, PAID).await;
    // Another tab has saved nothing: the proxy knows it.
    let tab = browser.driver().new_tab().await.unwrap();
    browser.driver().switch_to_window(tab).await.unwrap();
    has_ended(&browser.visit(&page).await, PAID).await;
    servers.only_payment();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_another_tab_cancelled_is_closed_in_the_first() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let page = servers.shop_page("invoice=INV-1042");
    let checkout = browser.visit(&page).await;
    checkout.pay_with(BITCOIN).await;
    let amount = checkout.amount().await;

    let driver = browser.driver();
    let first = driver.window().await.unwrap();
    let second = driver.new_tab().await.unwrap();
    driver.switch_to_window(second).await.unwrap();
    let other = browser.visit(&page).await;
    assert_eq!(other.amount().await, amount);
    servers.only_payment();
    other.cancel().await;
    other.reads("Payment cancelled").await;

    driver.switch_to_window(first).await.unwrap();
    has_ended(&checkout, CLOSED).await;
    assert_eq!(
        browser.event("tender-closed").await.detail["payment"]["state"],
        json!("closed")
    );
    driver.refresh().await.unwrap();
    let checkout = browser.checkout("tender-checkout").await;
    has_ended(&checkout, CLOSED).await;

    checkout.press("Start a new payment").await;
    checkout.pay_with(TRX).await;
    checkout.amount().await;
    assert_eq!(servers.payments().len(), 2);
}
