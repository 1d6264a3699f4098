//! The shop sets the price. Nothing that a page sends changes it.

use axum::http::StatusCode;
use serde_json::{Value, json};
use tender_protocol::{Problem, ProblemCode, path};
use tender_sandbox::Endpoint;

use crate::support::{Browser, Role, Servers};

const INVOICE: &str = "INV-1042";
const NOT_AVAILABLE: &str = "Crypto payment is not available right now";
const NOT_STARTED: &str = "The payment was not started";
const REFUSED: &str = "The shop's order could not be verified. Please contact the shop.";

/// A hundredth of the price in the element's attributes contradicts the order, so the checkout shows an error. Without
/// them, the price is the order's.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_adds_a_price_of_its_own() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.choose("Tether USD, TRON").await;

    let set = "arguments[0].setAttribute('quantity', '0.01'); return null";
    let _: Value = browser.run(set, [checkout.host().to_json().unwrap()]).await;
    let error = browser.event("tender-error").await;
    assert_eq!(error.detail["code"], "config-invalid");
    assert!(checkout.names(Role::Button).await.is_empty());
    assert_eq!(checkout.text().await, "Pay without JavaScript");

    let unset = "arguments[0].removeAttribute('quantity'); return null";
    let _: Value = browser
        .run(unset, [checkout.host().to_json().unwrap()])
        .await;
    checkout.pay_with("Tether USD, TRON").await;
    assert_eq!(checkout.amount().await, "48.5");
    assert_eq!(servers.only_payment().quantity, "48.50".parse().unwrap());
}

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

    assert_eq!(checkout.alert().await, format!("{NOT_AVAILABLE} {REFUSED}"));
    assert!(checkout.names(Role::Radio).await.is_empty());
    assert!(checkout.text().await.contains("Pay without JavaScript"));
    let error = browser.event("tender-error").await;
    assert_eq!(error.detail["code"], "order-refused");
    assert_eq!(error.detail["retryable"], false);
    assert_eq!(servers.requests(Endpoint::Create).received, 0);
}

/// The page calls the proxy directly with everything that could lower the price. Another amount is rejected; the rest
/// has no effect.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_asks_the_proxy_itself() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("invoice=INV-1042")).await;
    let order = checkout.host().attr("order").await.unwrap();
    let mut body = json!({
        "order": order, "paymentToken": "usdtt",
        "quantity": 0.01, "quantityPay": 0.01, "token": "kxp",
        "itemNumber": "0", "invoiceNumber": "MINE",
    });
    let (_, answer) = post(&browser, &servers, body.clone()).await;
    let problem: Problem = serde_json::from_str(&answer).unwrap();
    assert_eq!(problem.code, ProblemCode::OrderAmountMismatch);
    assert_eq!(servers.requests(Endpoint::Create).received, 0);

    body.as_object_mut().unwrap().remove("quantity");
    let (status, answer) = post(&browser, &servers, body).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let payment = servers.only_payment();
    assert_eq!(payment.quantity, "48.50".parse().unwrap());
    assert_eq!(payment.quantity_pay, "48.5".parse().unwrap());
    assert_eq!(payment.token, "USDTT");
    assert_eq!(payment.invoice_number.as_deref(), Some(INVOICE));
    assert_eq!(payment.item_number, None);
}

const PLAIN: &str = r#"token="usdtt" quantity="1.5" invoice-number="INV-1042""#;

#[tokio::test(flavor = "multi_thread")]
async fn an_unsigned_order_is_refused() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.checkout_page(PLAIN)).await;
    checkout.pay_with("KXP, KXP").await;
    assert_eq!(checkout.alert().await, format!("{NOT_STARTED} {REFUSED}"));

    let (status, answer) = post(
        &browser,
        &servers,
        json!({
            "token": "usdtt", "quantity": 1.5, "paymentToken": "kxp", "invoiceNumber": INVOICE,
        }),
    )
    .await;
    let problem: Problem = serde_json::from_str(&answer).unwrap();
    assert_eq!(problem.code, ProblemCode::UnsignedOrderRefused);
    assert_eq!(status, problem.status);
    assert_eq!(servers.requests(Endpoint::Create).received, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unsigned_order_is_taken_where_the_operator_says_so() {
    let servers = Servers::open_with(|proxy| proxy.orders.allow_unsigned = true).await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.checkout_page(PLAIN)).await;
    checkout.choose("Tether USD, TRON").await;
    checkout.press("Pay 1.50 USDT on TRON (TRC20)").await;
    assert_eq!(checkout.amount().await, "1.5");
    assert_eq!(servers.only_payment().quantity.to_string(), "1.5");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_order_says_what_to_do() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let order = servers.sign(json!({
        "token": "usdtt", "quantity": "1.5", "invoiceNumber": INVOICE,
        "exp": jsonwebtoken::get_current_timestamp() - 3600,
    }));
    let checkout = browser
        .visit(&servers.checkout_page(&format!("order=\"{order}\"")))
        .await;
    let sentence = "This order has expired. Load the shop's page again to get a new one.";
    assert_eq!(
        checkout.alert().await,
        format!("{NOT_AVAILABLE} {sentence}")
    );
    assert_eq!(
        browser.event("tender-error").await.detail["code"],
        "order-expired"
    );
    assert_eq!(servers.requests(Endpoint::Create).received, 0);
}

/// The operator lists the origins whose pages may create payments.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_another_origin_gets_nothing() {
    let servers = Servers::open_with(|proxy| proxy.orders.allow_unsigned = true).await;
    let browser = Browser::start().await;
    let path = servers
        .checkout_page(PLAIN)
        .replace(&servers.merchant.origin(), "");
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

/// The proxy's response to a script in the page that sends this body.
async fn post(browser: &Browser, servers: &Servers, body: Value) -> (u16, String) {
    let script = "
        const [url, body] = arguments;
        const headers = { 'content-type': 'application/json' };
        return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
            .then(async (answer) => [answer.status, await answer.text()]);";
    let url = format!("{}{}", servers.proxy_url(), path::PAYMENT);
    browser.run(script, [url.into(), body]).await
}
