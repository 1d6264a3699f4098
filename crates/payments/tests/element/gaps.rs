//! No two controls touch each other, no text is cut off, and colours have contrast: in each state, from the narrowest phone to a
//! desktop, in both directions and themes.

use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::order_actions::{marked, opened};
use crate::support::gaps::problems;
use crate::support::office::Office;
use crate::support::proxy::Reply;
use crate::support::shop::{LIST, ORDERS, Shop};
use crate::support::wait::settled;
use crate::{key, links};

/// Stops unless there are none.
fn check(office: &Office, state: &str) {
    let problems = problems(office);
    assert!(problems.is_empty(), "{state}:\n{}", problems.join("\n"));
}

#[wasm_bindgen_test]
async fn in_the_key_form() {
    let shop = Shop::with(1);
    let office = key::asked(&shop).await;
    check(&office, "key form");
    office.enter("wrong").await;
    office.until_shown("did not accept this key").await;
    check(&office, "key refused");
}

#[wasm_bindgen_test]
async fn in_the_list_and_in_its_filters() {
    let shop = Shop::with(3);
    shop.set_link_limits();
    let office = Office::ready(&shop).await;
    office.until_part("create-link").await;
    settled().await;
    check(&office, "list");
    office.search("nowhere");
    settled().await;
    check(&office, "nothing found");
    shop.proxy.serve(LIST, |_| Reply::problem(503, "busy"));
    office.press("Refresh");
    office.until_part("alert").await;
    check(&office, "not refreshed");
}

#[wasm_bindgen_test]
async fn in_the_dialog_of_a_payment_and_in_its_questions() {
    let shop = Shop::with(3);
    shop.set_ledger(&marked());
    let (office, _) = opened(&shop).await;
    check(&office, "details");
    office.press_part("remove-marks");
    office.until_part("confirm-order").await;
    settled().await;
    check(&office, "question about the order");
    office.press_part("keep-order");
    settled().await;
    office.press_part("close");
    settled().await;
    office.focus_in_row("INV-3", "[part=cancel]").click();
    settled().await;
    check(&office, "cancel question");
}

#[wasm_bindgen_test]
async fn in_the_dialog_for_a_payment_link() {
    let shop = Shop::with(1);
    let office = links::opened(&shop).await;
    check(&office, "form");
    office.press_part("submit");
    settled().await;
    check(&office, "form with a problem");
    let order = "eyJhbGciOiJIUzI1NiJ9".repeat(20);
    let url = format!("https://pay.shop.example/pay?order={order}");
    let signed = json!({ "order": order, "url": url }).to_string();
    shop.proxy.serve(ORDERS, move |_| Reply::ok(signed.clone()));
    office.field("link-price").set_value("48.50");
    office.field("link-invoice").set_value("INV-7");
    office.choose("link-token", "USDT · TRON (TRC20)");
    office.press_part("submit");
    office.until_part("link").await;
    settled().await;
    check(&office, "link");
}
