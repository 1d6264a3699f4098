//! Creating a payment link.

use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::mounted::type_into;
use crate::support::office::Office;
use crate::support::proxy::Reply;
use crate::support::shop::{ORDERS, Shop};
use crate::support::wait::{settled, until};

/// The form for a payment link, opened.
pub(crate) async fn opened(shop: &Shop) -> Office {
    shop.set_link_limits();
    let office = Office::ready(shop).await;
    office.until_part("create-link").await;
    office.press_part("create-link");
    settled().await;
    office
}

#[wasm_bindgen_test]
async fn a_link_is_created_and_shown() {
    let shop = Shop::with(1);
    let office = Office::ready(&shop).await;
    settled().await;
    assert!(!office.has_part("create-link"), "the proxy makes none");

    shop.set_link_limits();
    office.press("Refresh");
    office.until_part("create-link").await;
    office.press("Create payment link");
    office.until_shown("At most 0.01 BTC").await;
    office.until_focused("#link-price").await;
    office.choose("link-token", "USDT · TRON (TRC20)");
    office.until_shown("At most 500.00 USDT").await;
    office.press_part("submit");
    office
        .until_shown("Enter a price above 0, such as 12.50, without thousands separators.")
        .await;
    let price = office.field("link-price");
    assert_eq!(price.get_attribute("aria-invalid").as_deref(), Some("true"));
    type_into(&price, "48.50");
    type_into(&office.field("link-invoice"), "INV-7");
    office.choose("link-days", "14 days");
    shop.proxy.serve(ORDERS, |_| Reply::problem(503, "busy"));
    office.press_part("submit");
    office
        .until_shown("The link was not created: Detail of busy.")
        .await;

    let url = "https://pay.shop.example/pay?order=a.b.c";
    let signed = json!({ "order": "a.b.c", "url": url }).to_string();
    shop.proxy.serve(ORDERS, move |_| Reply::ok(signed.clone()));
    // What was typed is still there.
    office.press_part("submit");
    office.until_shown("Payment link for INV-7").await;
    let sent = shop.proxy.sent(ORDERS).pop().unwrap().json();
    let order = json!({
        "token": "usdtt", "quantity": 48.50, "invoiceNumber": "INV-7", "expires": "14d",
    });
    assert_eq!(sent, order);
    assert_eq!(office.text_of("link"), url);
    office.press("Close");
    until("it is closed", || !office.has_part("link")).await;
}
