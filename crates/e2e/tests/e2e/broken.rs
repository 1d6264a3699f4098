//! What keeps the checkout from running: a policy of the page, and an origin that the proxy does not allow. Each time the buyer
//! reads why, and can use the shop's fallback below.

use crate::support::{Browser, Role, Servers};

#[tokio::test(flavor = "multi_thread")]
async fn a_policy_without_webassembly() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let proxy = servers.proxy_url();
    let policy = format!("script-src {proxy}; connect-src {proxy}; style-src 'none'");
    let order = servers.order("INV-1042");
    let page = servers.page(&format!(
        "<meta http-equiv=\"content-security-policy\" content=\"{policy}\">
         <script src=\"{proxy}/v1/checkout.js\" async></script>
         <tender-checkout proxy=\"{proxy}\" order=\"{order}\"><a href=\"/pay\">Pay otherwise</a></tender-checkout>"
    ));
    let checkout = browser.visit(&page).await;
    assert_eq!(
        checkout.alert().await,
        "The checkout could not be loaded It can't run in this browser. Use another browser, or choose another way to pay."
    );
    assert!(checkout.shows_fallback().await);
    assert!(checkout.names(Role::Button).await.is_empty());
    let events = browser.events().await;
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(events[0].detail["code"], "load-failed");
    assert_eq!(events[0].detail["retryable"], false);
}

/// The operator says whose pages may ask for a payment.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_another_origin_gets_nothing() {
    let servers = Servers::open_with(|proxy| proxy.orders.allow_unsigned = true).await;
    let browser = Browser::start().await;
    let proxy = servers.proxy_url();
    let path = servers.merchant.put_up(&format!(
        "<script src=\"{proxy}/v1/checkout.js\" async></script>
         <tender-checkout proxy=\"{proxy}\" token=\"usdtt\" quantity=\"1.5\" invoice-number=\"INV-1042\">
         </tender-checkout>"
    ));
    let page = format!("{}{path}", servers.merchant.other_origin());
    let checkout = browser.visit(&page).await;
    checkout.alert().await;
    let error = browser.event("tender-error").await.detail;
    assert_eq!(error["code"], "unreachable");
    assert!(checkout.names(Role::Radio).await.is_empty());
    // The console names both origins.
    let (other, own) = (servers.merchant.other_origin(), servers.merchant.origin());
    let told = format!("The proxy refuses requests from {other}. It allows {own}, ");
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with(&told), "{message}");
    let console = browser.console_errors().await.join("\n");
    assert!(console.contains(&told), "{console}");
}
