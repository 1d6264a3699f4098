//! The shop learns by notification that an order is paid, not from the buyer's page.

use std::time::Duration;

use tender_protocol::Status;
use thirtyfour::By;

use crate::support::{Browser, Role, Servers, until};

const PAID: &str = "Completed";

async fn servers() -> Servers {
    Servers::open_notifying(|proxy| {
        proxy.orders.status_paid = vec![PAID.to_owned()];
        proxy.notifications.poll_interval = Duration::from_millis(200);
    })
    .await
}

fn set_paid(servers: &Servers) {
    let payment = servers.only_payment();
    let status = Status::new("2", PAID).unwrap();
    let service = servers.service();
    service.set_status(&payment.transaction_id, status).unwrap();
}

/// Waits until the shop's page has this heading.
pub(crate) async fn is_headed(browser: &Browser, heading: &str) {
    until(format_args!("the heading {heading:?}"), async || {
        let shown = browser.driver().find(By::Css("h1")).await?.text().await?;
        Ok((shown == heading).then_some(()))
    })
    .await;
}

/// No checkout is open when the money arrives: only the proxy can tell the shop.
#[tokio::test(flavor = "multi_thread")]
async fn the_order_page_turns_by_notification_alone() {
    let servers = servers().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("invoice=INV-1042")).await;
    checkout.pay_with("Bitcoin, Bitcoin").await;
    checkout.amount().await;

    let order_page = servers.order_page("INV-1042");
    browser.driver().goto(order_page).await.unwrap();
    is_headed(&browser, "Waiting for your payment").await;
    set_paid(&servers);
    is_headed(&browser, "Paid, we are packing").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_way_back_from_a_paid_checkout_leads_to_the_order() {
    let servers = servers().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("invoice=INV-1042")).await;
    checkout.pay_with("Bitcoin, Bitcoin").await;
    checkout.amount().await;
    set_paid(&servers);
    let link = checkout.get(Role::Link, "Back to the shop").await;
    link.click().await.unwrap();
    is_headed(&browser, "Paid, we are packing").await;
    let url = browser.driver().current_url().await.unwrap();
    assert_eq!(url.as_str(), servers.order_page("INV-1042"));
}
