//! Another language than English: texts that appear later, too.

use std::collections::BTreeMap;

use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::mounted::type_into;
use crate::support::office::Office;
use crate::support::page;
use crate::support::shop::Shop;
use crate::support::subject::SUBJECT;
use crate::support::wait::{settled, until};

fn arabic(key: &str) -> String {
    let texts: BTreeMap<String, String> = serde_json::from_str(SUBJECT.arabic).unwrap();
    texts[key].clone()
}

fn open_in_arabic(shop: &Shop) -> Office {
    let office = Office::open(shop);
    office.set("locale", "ar");
    office
}

fn click(office: &Office, part: &str) {
    office.first(&format!("[part={part}]")).click();
}

#[wasm_bindgen_test]
async fn texts_that_appear_later_are_in_the_element_s_language() {
    let shop = Shop::with(2);
    let office = open_in_arabic(&shop);
    office.until_shown(&arabic("search")).await;
    let days = office.text_of("days");
    // Isolated by an element.
    let label = format!("{}: ", arabic("days"));
    assert!(days.starts_with(&label), "{days}");
    // After an async function of the browser.
    click(&office, "details");
    office.until_part("copy").await;
    click(&office, "copy");
    office.until_shown(&arabic("copied")).await;
    click(&office, "close");
    settled().await;
    // After an event.
    click(&office, "cancel");
    office.until_shown(&arabic("cancel-warning")).await;
    // After requests.
    office.press_part("confirm");
    office.until_shown(&arabic("close")).await;
    office.press_part("close");
}

#[wasm_bindgen_test]
async fn a_changed_locale_keeps_the_key_that_is_being_typed() {
    page::session().clear().unwrap();
    let shop = Shop::with(1);
    shop.require_key();
    let office = Office::open(&shop);
    office.until_part("key-form").await;
    type_into(&office.field("key"), "half-a-k");
    office.set("locale", "ar");
    office.until_shown(&arabic("key-hint")).await;
    let field = office.field("key");
    assert_eq!(field.value(), "half-a-k");
    assert_eq!(field.get_attribute("value"), None);
}

#[wasm_bindgen_test]
async fn a_changed_locale_changes_all_texts_and_keeps_the_search() {
    let shop = Shop::with(2);
    let office = Office::ready(&shop).await;
    office.search("INV-2");
    office.shows(2, 2).await;
    office.set("locale", "ar");
    office.until_shown(&arabic("search")).await;
    settled().await;
    assert!(!office.text().contains("Search"), "{}", office.text());
    assert_eq!(office.invoices(), ["INV-2"]);
    assert_eq!(office.field("search").value(), "INV-2");
    office.set("locale", "en");
    office.until_shown("Search").await;
    until("the columns are in English", || {
        office.text_of("table").contains("Invoice")
    })
    .await;
}
