//! The shop sets the price, and its operator says whose pages may ask for a payment.

use serde_json::Value;
use tender_sandbox::Endpoint;

use crate::support::{Browser, Role, Servers};

/// A changed price inside the order, with the original signature.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_forges_the_order() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.is_choosing().await;
    let forge = "
        const [head, claims, signature] = arguments[0].order.split('.');
        const cheap = { ...JSON.parse(atob(claims)), quantity: '0.01' };
        const forged = btoa(JSON.stringify(cheap)).replace(/=+$/, '');
        arguments[0].order = [head, forged, signature].join('.');
        return null;";
    let _: Value = browser
        .run(forge, [checkout.host().to_json().unwrap()])
        .await;

    let alert = "Crypto payment is not available right now The shop's order could not be verified. Please contact the shop.";
    assert_eq!(checkout.alert().await, alert);
    assert!(checkout.names(Role::Radio).await.is_empty());
    assert!(checkout.text().await.contains("Pay without JavaScript"));
    let error = browser.event("tender-error").await;
    assert_eq!(error.detail["code"], "order-refused");
    assert_eq!(error.detail["retryable"], false);
    assert_eq!(servers.requests(Endpoint::Create).received, 0);
}

/// The operator lists the origins whose pages may create payments.
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
