//! The end of the list, an empty list, and sums.

use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::office::Office;
use crate::support::proxy::Reply;
use crate::support::shop::{LIST, Shop, record};
use crate::support::subject::SUBJECT;

#[wasm_bindgen_test]
async fn the_list_ends_after_its_last_page() {
    let shop = Shop::with(40);
    let office = Office::ready(&shop).await;
    office.shows(40, 21).await;
    office.press_part("older");
    office.shows(20, 1).await;
    office.press_part("older");
    office.until_shown("All payments are loaded.").await;
    office.shows(20, 1).await;
    let older = office.attribute("older", "aria-disabled");
    assert_eq!(older.as_deref(), Some("true"));
    assert!(office.all("[role=alert]").is_empty());
    office.press_part("newer");
    office.shows(40, 21).await;
    assert_eq!(shop.cursors(), ["t-21", "t-1"]);
}

/// An identifier may have any character.
#[wasm_bindgen_test]
async fn older_payments_are_requested_after_any_identifier() {
    let shop = Shop::with(0);
    let mut odd = record(1);
    odd["transactionId"] = json!("t 1&page=2");
    shop.add([odd]);
    let office = Office::ready(&shop).await;
    office.shows(1, 1).await;
    shop.proxy.reply(LIST, Reply::ok("[]"));
    office.press_part("older");
    office.until_shown("All payments are loaded.").await;
    assert_eq!(shop.cursors(), ["t%201%26page%3D2"]);
}

#[wasm_bindgen_test]
async fn a_shop_without_payments_shows_a_hint_until_the_first_one() {
    let shop = Shop::with(0);
    let office = Office::ready(&shop).await;
    office.until_shown("No payments yet").await;
    assert!(!office.has_part("table") && !office.has_part("pager"));
    assert_eq!(
        office.details_of("tender-ready"),
        [SUBJECT.recorded("tender-ready")]
    );
    shop.add([record(1)]);
    office.press_part("refresh");
    office.shows(1, 1).await;
    assert_eq!(
        office.details_of("tender-created"),
        [SUBJECT.recorded("tender-created")]
    );
}

/// The search narrows the sums to the payments that are shown.
#[wasm_bindgen_test]
async fn payments_of_each_meaning_on_the_page_have_a_sum() {
    let shop = Shop::with(0);
    for (number, price, state) in [
        (1, "48.5", json!("open")),
        (2, "0.1", json!("open")),
        (3, "310.25", json!("paid")),
        (4, "99", json!("closed")),
        // The proxy doesn't say what its status means.
        (5, "7", json!(null)),
    ] {
        let mut priced = record(number);
        priced["token"] = json!("USDTT");
        priced["quantity"] = json!(price);
        priced["state"] = state;
        shop.add([priced]);
    }
    let office = Office::ready(&shop).await;
    let total = || office.text_of("total");
    assert_eq!(
        total(),
        "Prices on this pagePaid310.25 USDT TRON (TRC20)Open48.60 USDT TRON (TRC20)\
            Created7.00 USDT TRON (TRC20)"
    );
    office.search("INV-2");
    office.shows(2, 2).await;
    assert_eq!(total(), "Prices on this pageOpen0.10 USDT TRON (TRC20)");
    office.search("INV-4");
    office.shows(4, 4).await;
    assert!(!office.has_part("total"), "nothing is expected of it");
}

#[wasm_bindgen_test]
async fn days_without_payments_are_in_the_table_of_days() {
    let shop = Shop::with(0);
    for (number, date) in [(1, "2026/02/27"), (2, "2026/03/01")] {
        let mut dated = record(number);
        dated["createdAt"] = json!(date);
        shop.add([dated]);
    }
    let office = Office::ready(&shop).await;
    office.until_part("days").await;
    office.part("days").set_attribute("open", "").unwrap();
    let rows = office.all("[part=days] tbody tr");
    let rows: Vec<_> = rows.iter().map(|row| row.text_content().unwrap()).collect();
    assert_eq!(
        rows,
        [
            "Mar 1, 2026Created148.50",
            "Feb 28, 202600.00",
            "Feb 27, 2026Created148.50"
        ]
    );
}
