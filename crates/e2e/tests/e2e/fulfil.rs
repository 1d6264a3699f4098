//! The shop learns by notification that an order is paid, not from the buyer's page.

use std::time::Duration;

use crate::support::{Browser, Role, STATUS_PAID, Servers, map_statuses};

#[tokio::test(flavor = "multi_thread")]
async fn the_way_back_from_a_paid_checkout_leads_to_the_order() {
    let servers = Servers::open_notifying(|proxy| {
        map_statuses(proxy);
        proxy.notifications.poll_interval = Duration::from_millis(200);
    })
    .await;
    let browser = Browser::start().await;
    let checkout = browser
        .pay(&servers.shop_page("invoice=INV-1042"), "Bitcoin, Bitcoin")
        .await;
    servers.set_status(STATUS_PAID);
    let link = checkout.get(Role::Link, "Back to the shop").await;
    link.click().await.unwrap();
    browser.is_headed("Paid, we are packing").await;
    let url = browser.driver().current_url().await.unwrap();
    assert_eq!(url.as_str(), servers.order_page("INV-1042"));
}
