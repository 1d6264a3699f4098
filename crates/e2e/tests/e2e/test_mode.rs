//! The demo: a shop, a proxy in test mode and the sandbox, whose page says that a payment is paid.

use std::net::SocketAddr;

use thirtyfour::By;

use crate::scan;
use crate::support::{Browser, Role, Servers};

const BANNER: &str = "Test mode: no real money. Don't send any.";
/// The content of the QR code.
const HARMLESS: &str = "tender test mode: do not pay";

/// Servers as `cargo xtask demo` starts them, with `--origin` and `--notify-url` for a shop at this address.
pub(crate) async fn demo(own_page: Option<SocketAddr>) -> Servers {
    Servers::open_notifying(own_page, |proxy| {
        let origin = own_page.map(|page| format!("http://localhost:{}", page.port()));
        let origin = origin.map(|origin| origin.parse().unwrap());
        proxy.server.allow_origins.extend(origin);
        proxy.upstream.test_mode = true;
        proxy.orders.status_paid = vec!["Paid".to_owned()];
        proxy.orders.status_closed = vec!["Expired".to_owned()];
    })
    .await
}

/// The address of the sandbox's page, by the shop's link.
pub(crate) async fn sandbox_page(browser: &Browser) -> String {
    let link = browser.find(By::Css("a[href$='/sandbox/page']")).await;
    link.attr("href").await.unwrap().unwrap()
}

/// Sets the status of the newest payment on the sandbox's page.
pub(crate) async fn mark(browser: &Browser, page: &str, status: &str) {
    browser.go(page).await;
    let button = format!("//article//button[normalize-space()={status:?}]");
    browser.click(By::XPath(button)).await;
    let shown = format!("//dd[@class='status'][starts-with(.,{status:?})]");
    browser.find(By::XPath(shown)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_can_be_paid_and_the_shop_learns_that_it_is_paid() {
    let (servers, browser) = (demo(None).await, Browser::start().await);
    let shop = servers.shop_page("/?invoice=INV-1042");
    let checkout = browser.visit(&shop).await;
    checkout.is_choosing().await;
    assert_eq!(checkout.text_of("test-mode").await, BANNER);
    checkout.pay("BNB, BNB Smart Chain").await;
    assert_eq!(checkout.text_of("test-mode").await, BANNER);
    assert_eq!(scan::read(&checkout).await, HARMLESS);
    // From the skeleton to the payment, under the shop's policy.
    assert_eq!(browser.refused_by_policy().await, [""; 0]);
    assert_eq!(browser.console_errors().await, [""; 0]);

    mark(&browser, &sandbox_page(&browser).await, "Paid").await;
    // The notification reaches the shop without a checkout.
    let order_page = servers.shop_page("/order/INV-1042");
    browser.go(&order_page).await;
    browser.is_headed("Paid, we are packing").await;
    let checkout = browser.visit(&shop).await;
    let back = checkout.get(Role::Link, "Back to the shop").await;
    assert_eq!(checkout.text_of("test-mode").await, BANNER);
    let paid = browser.event("tender-paid").await.detail;
    assert_eq!(paid["payment"]["testMode"], true);
    back.click().await.unwrap();
    browser.is_headed("Paid, we are packing").await;
    let url = browser.driver.current_url().await.unwrap();
    assert_eq!(url.as_str(), order_page);
}
