//! A list that changes while it is read, pages past its end, and an empty list.

use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::office::Office;
use crate::support::proxy::Reply;
use crate::support::shop::{LIST, Shop, record};

#[wasm_bindgen_test]
async fn a_page_past_the_end_is_the_end() {
    for refused in [false, true] {
        let shop = Shop::with(20);
        let office = Office::ready(&shop).await;
        office.shows(20, 1).await;
        if refused {
            shop.proxy
                .reply(LIST, Reply::problem(502, "service-refused"));
        }
        office.press_part("older");
        office.until_shown("All payments are loaded.").await;
        office.shows(20, 1).await;
        let older = office.part("older").get_attribute("aria-disabled");
        assert_eq!(older.as_deref(), Some("true"));
        assert!(office.all("[role=alert]").is_empty());
    }
}

#[wasm_bindgen_test]
async fn a_shop_without_payments_shows_a_hint_until_the_first_one() {
    let shop = Shop::with(0);
    let office = Office::ready(&shop).await;
    office.until_shown("No payments yet").await;
    assert!(!office.has_part("table") && !office.has_part("pager"));
    assert_eq!(
        office.details_of("tender-ready"),
        [json!({ "payments": 0 })]
    );
    shop.add([record(1)]);
    office.press_part("refresh");
    office.shows(1, 1).await;
    assert_eq!(office.details_of("tender-created").len(), 1);
}

#[wasm_bindgen_test]
async fn a_list_that_grew_while_it_was_read_shows_each_payment_once() {
    let shop = Shop::with(45);
    let office = Office::ready(&shop).await;
    office.shows(45, 26).await;
    shop.add((46..=48).map(record));
    office.press_part("older");
    // Page two without the payments of the former page one, filled up from page three.
    office.shows(25, 6).await;
    office.press_part("older");
    office.shows(5, 1).await;
    office.press_part("newer");
    office.shows(25, 6).await;
    office.press_part("newer");
    office.press_part("refresh");
    office.shows(48, 29).await;
}

#[wasm_bindgen_test]
async fn a_list_that_cannot_be_loaded_is_explained_and_can_be_retried() {
    let shop = Shop::with(2);
    shop.proxy.reply(LIST, Reply::Lost);
    let office = Office::open(&shop);
    office.until_shown("The proxy can't be reached.").await;
    assert_eq!(office.details_of("tender-error")[0]["code"], "unreachable");
    office.press_part("retry");
    office.shows(2, 1).await;
}

/// The search narrows the total to the payments that are shown.
#[wasm_bindgen_test]
async fn the_payments_on_the_page_have_a_total() {
    let shop = Shop::with(0);
    for (number, usd) in [(1, json!(48.5)), (2, json!(0.1)), (3, json!(null))] {
        let mut priced = record(number);
        priced["priceUsd"] = usd;
        shop.add([priced]);
    }
    let office = Office::ready(&shop).await;
    let total = || office.part("total").text_content().unwrap();
    assert_eq!(total(), "TotalUS dollars48.60");
    office.search("INV-2");
    office.shows(2, 2).await;
    assert_eq!(total(), "TotalUS dollars0.10");
    office.search("INV-3");
    office.shows(3, 3).await;
    assert!(!office.has_part("total"));
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
            "2026/03/01Created148.50",
            "2026/02/2800.00",
            "2026/02/27Created148.50"
        ]
    );
}
