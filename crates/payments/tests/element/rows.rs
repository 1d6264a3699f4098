//! What a row shows of a payment, and what the parts around the table say.

use std::collections::BTreeSet;

use serde_json::json;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use crate::support::office::Office;
use crate::support::proxy::Reply;
use crate::support::shop::{LIST, Shop, record};
use crate::support::wait::until;

const WALLET: &str = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

#[wasm_bindgen_test]
async fn a_long_wallet_is_shown_with_its_start_and_end() {
    let shop = Shop::with(1);
    let mut long = record(2);
    long["wallet"] = json!(WALLET);
    shop.add([long]);
    let office = Office::ready(&shop).await;
    let code = |invoice: &str| {
        let code = office.row(invoice).query_selector(".code bdi");
        code.unwrap().unwrap()
    };
    let long = code("INV-2");
    let parts = (0..3).map(|at| long.children().item(at).unwrap().text_content().unwrap());
    assert_eq!(
        parts.collect::<Vec<_>>(),
        ["TR7N", "HqjeKQxGTCi8q8ZY4pL8otSzgj", "Lj6t"]
    );
    // A selection has all of it, and so has the tooltip.
    assert_eq!(long.text_content().as_deref(), Some(WALLET));
    assert_eq!(long.get_attribute("title").as_deref(), Some(WALLET));
    assert_eq!(code("INV-1").text_content().as_deref(), Some("TWallet"));
}

#[wasm_bindgen_test]
async fn tokens_are_named_by_ticker_and_network() {
    let shop = Shop::with(0);
    let mut payment = record(1);
    payment["token"] = json!("USDTT");
    payment["paymentToken"] = json!("USDTE");
    payment["quantityPay"] = json!("48.5");
    shop.add([payment]);
    let office = Office::ready(&shop).await;
    let row = office.row("INV-1").text_content().unwrap();
    assert!(row.contains("48.50 USDT"), "{row}");
    assert!(row.contains("48.50 USDT Ethereum (ERC20)"), "{row}");
}

#[wasm_bindgen_test]
async fn a_card_shows_its_details_on_request() {
    let shop = Shop::with(1);
    let office = Office::open(&shop);
    office.set("style", "display: block; inline-size: 390px");
    office.until_part("details").await;
    let button: HtmlElement = office.part("details").unchecked_into();
    let is_expanded = || button.get_attribute("aria-expanded").as_deref() == Some("true");
    let is_shown = || {
        let wallet = office.row("INV-1").query_selector(".code").unwrap();
        wallet.unwrap().get_client_rects().length() > 0
    };
    assert!(!is_expanded() && !is_shown());
    button.click();
    until("the details are shown", || is_expanded() && is_shown()).await;
    button.click();
    until("they are hidden again", || !is_expanded() && !is_shown()).await;
}

#[wasm_bindgen_test]
async fn a_failed_refresh_says_since_when_the_list_is_old() {
    let shop = Shop::with(1);
    let office = Office::ready(&shop).await;
    shop.proxy
        .reply(LIST, Reply::problem(502, "service-failed"));
    office.press_part("refresh");
    office.until_shown("Not updated since ").await;
    office.shows(1, 1).await;
    office.press_part("refresh");
    until("it is current again", || !office.has_part("alert")).await;
}

#[wasm_bindgen_test]
async fn nothing_is_exported_if_nothing_matches() {
    let shop = Shop::with(1);
    let office = Office::ready(&shop).await;
    let disabled = || office.part("export").get_attribute("aria-disabled");
    assert_eq!(disabled(), None);
    office.search("nowhere");
    until("there is nothing to export", || {
        disabled().as_deref() == Some("true")
    })
    .await;
}

#[wasm_bindgen_test]
async fn no_two_statuses_of_a_chart_look_the_same() {
    let shop = Shop::with(0);
    let statuses = [
        ("Created", json!("open")),
        ("Confirming", json!("open")),
        ("Completed", json!("paid")),
        ("Expired", json!("closed")),
        ("Cancelled", json!("closed")),
        ("Refused", json!("closed")),
        ("Unknown", json!(null)),
    ];
    let count = statuses.len();
    for (number, (status, state)) in (1..).zip(statuses) {
        let mut payment = record(number);
        payment["statusId"] = json!(number.to_string());
        payment["statusText"] = json!(status);
        payment["state"] = state;
        payment["createdAt"] = json!(format!("2026/11/{}", 10 + number));
        shop.add([payment]);
    }
    let office = Office::ready(&shop).await;
    office.part("days").set_attribute("open", "").unwrap();
    let keys = office.all(".legend rect");
    let looks: BTreeSet<_> = keys.iter().map(|key| key.get_attribute("class")).collect();
    assert_eq!((keys.len(), looks.len()), (count, count), "{looks:?}");
    let text = office.part("days").text_content().unwrap();
    assert!(
        text.starts_with("Daily totals: Nov 11, 2026 – Nov 17, 2026"),
        "{text}"
    );
    assert!(text.contains("Nov 11Nov 17"), "{text}");
}
