//! The operator says whose pages may ask for a payment.

use crate::support::{Browser, Role, Servers};

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
