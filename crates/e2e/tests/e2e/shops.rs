//! The example shops: a buyer pays in each, and its order page says so.

use std::time::Duration;

use tender_programs::shops::{Example, GO, NODE, PHP, PYTHON, RUBY};
use tender_programs::{Server, free_address};
use tender_protocol::Status;
use thirtyfour::By;

use crate::fulfil::is_headed;
use crate::support::{Browser, Role, STATUS_PAID, Servers, map_statuses};

async fn sells(example: &Example) {
    let address = free_address();
    let servers = Servers::open_for_shop(address, |proxy| {
        map_statuses(proxy);
        proxy.notifications.poll_interval = Duration::from_millis(200);
    })
    .await;
    if let Some(shop) = example.start(address, &servers.shop_settings()).await {
        pays_in(&shop.server, &servers, STATUS_PAID).await;
    }
}

/// Buys in a running shop. `paid` is the status that its proxy takes for paid.
pub(crate) async fn pays_in(shop: &Server, servers: &Servers, paid: &str) {
    let browser = Browser::start().await;
    let checkout = browser.visit(&shop.url("/")).await;
    checkout.pay_with("Tether USD, TRON").await;
    assert_eq!(checkout.amount().await, "48.5");
    let payment = servers.only_payment();

    let link = browser.driver().find(By::LinkText("Your order")).await;
    let order_page = link.unwrap().prop("href").await.unwrap().unwrap();
    let invoice = payment.invoice_number.as_deref().unwrap();
    assert_eq!(order_page, shop.url(&format!("/orders/{invoice}")));
    let page = reqwest::get(&order_page).await.unwrap();
    assert_eq!(page.headers()["refresh"], "3");
    let html = page.text().await.unwrap();
    assert!(html.contains("<h1>Waiting for payment</h1>"), "{html}");

    let status = Status::new("2", paid).unwrap();
    let service = servers.service();
    service.set_status(&payment.transaction_id, status).unwrap();
    let back = checkout.get(Role::Link, "Back to the shop").await;
    back.click().await.unwrap();
    is_headed(&browser, "Paid").await;
    let url = browser.driver().current_url().await.unwrap();
    assert_eq!(url.as_str(), order_page);

    let missing = reqwest::get(shop.url("/orders/INV-%3Cscript%3E"));
    assert_eq!(missing.await.unwrap().status(), 404);
    assert_eq!(browser.console_errors().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_in_node_sells() {
    sells(&NODE).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_in_python_sells() {
    sells(&PYTHON).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_in_php_sells() {
    sells(&PHP).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_in_ruby_sells() {
    sells(&RUBY).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_in_go_sells() {
    sells(&GO).await;
}
