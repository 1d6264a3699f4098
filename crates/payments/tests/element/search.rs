//! Search in the loaded payments, and in older pages.

use serde_json::json;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use crate::support::office::Office;
use crate::support::proxy::Reply;
use crate::support::shop::{LIST, Shop, record};
use crate::support::wait::{settled, until};

#[wasm_bindgen_test]
async fn the_search_can_be_stopped() {
    let shop = Shop::with(85);
    let office = Office::ready(&shop).await;
    settled().await;
    let second = shop.proxy.hold(LIST);
    office.search("nowhere");
    office.until_part("search-older").await;
    office.press_part("search-older");
    until("page two is asked for", || shop.cursors() == ["t-66"]).await;
    office.until_shown("Searched 0 more pages…").await;
    office.until_part("search-older").await;
    office.press_part("search-older");
    let page: Vec<_> = (46..=65).rev().map(record).collect();
    second.open(Reply::ok(json!(page).to_string()));
    office
        .until_shown("Searched one more page without a match.")
        .await;
    settled().await;
    assert_eq!(shop.cursors().len(), 1);
    office.search("");
    office
        .until_shown("cover the 40 payments that are loaded.")
        .await;
}

#[wasm_bindgen_test]
async fn one_payment_is_described_in_the_singular() {
    let shop = Shop::with(1);
    let office = Office::ready(&shop).await;
    office
        .until_shown("cover the one payment that is loaded.")
        .await;
    office.search("inv");
    office
        .until_shown("The one payment that is loaded matches.")
        .await;
    office.search("nowhere");
    office
        .until_shown("The one payment that is loaded does not match.")
        .await;
}

#[wasm_bindgen_test]
async fn the_button_passes_its_focus_to_the_search_field_at_the_end() {
    let shop = Shop::with(45);
    let office = Office::ready(&shop).await;
    office.search("inv-3");
    office.until_shown("10 of 20 loaded payments").await;
    office.search("nowhere");
    office.until_part("search-older").await;
    office.focus_and_press("search-older");
    office.until_shown("All payments are loaded.").await;
    office
        .until_shown("None of the 45 loaded payments matches.")
        .await;
    assert!(!office.has_part("search-older"));
    office.until_focused("#search").await;
}

/// On a phone, the field would open the keyboard.
#[wasm_bindgen_test]
async fn a_toolbar_that_appears_takes_no_focus() {
    let shop = Shop::with(0);
    let office = Office::ready(&shop).await;
    // The user had interacted with the element, and then clicked outside it.
    let refresh: HtmlElement = office.part("refresh").unchecked_into();
    refresh.focus().unwrap();
    refresh.blur().unwrap();
    shop.add([record(1)]);
    office.press_part("refresh");
    office.until_part("tools").await;
    settled().await;
    assert_eq!(office.focused(), None);
}

/// `INV-3` to be paid in Bitcoin, of another day and with the highest price; `INV-2` and `INV-1` as usual.
async fn with_a_different_one() -> Office {
    let shop = Shop::with(2);
    let mut other = record(3);
    other["paymentToken"] = json!("BTC");
    other["createdAt"] = json!("2026/11/22");
    other["priceUsd"] = json!(99);
    shop.add([other]);
    Office::ready(&shop).await
}

#[wasm_bindgen_test]
async fn payments_are_filtered_by_token_and_day_until_the_filter_is_cleared() {
    let office = with_a_different_one().await;
    let no_export = || office.attribute("export", "aria-disabled");
    office.choose("token", "TRX · TRON");
    office.shows(2, 1).await;
    assert_eq!(no_export(), None);
    office.change("from", "2026-11-22");
    until("nothing matches", || office.invoices().is_empty()).await;
    assert_eq!(no_export().as_deref(), Some("true"));
    office.choose("token", "All tokens");
    office.shows(3, 3).await;
    office.until_shown("Export 1 as CSV").await;

    office.search("inv");
    settled().await;
    office.focus_and_press("clear-filter");
    office.shows(3, 1).await;
    for id in ["search", "from", "until"] {
        assert_eq!(office.field(id).value(), "", "{id}");
    }
    office.until_focused("#search").await;
}

/// The proxy says what statuses mean.
#[wasm_bindgen_test]
async fn payments_are_filtered_by_what_their_status_means() {
    let shop = Shop::with(1);
    let office = Office::ready(&shop).await;
    assert!(office.all("#state").is_empty());
    drop(office);
    for (number, state) in [(2, "pending"), (3, "underpaid"), (4, "unknown")] {
        let mut known = record(number);
        known["state"] = json!(state);
        shop.add([known]);
    }
    let office = Office::ready(&shop).await;
    for (meaning, number) in [
        ("Waiting for confirmation", 2),
        ("Underpaid", 3),
        ("Unclear", 4),
    ] {
        office.choose("state", meaning);
        office.shows(number, number).await;
        let pill = office.all("[part=row] .status").remove(0);
        assert_eq!(pill.text_content(), Some(format!("{meaning}: Created")));
        assert!(pill.query_selector("svg").unwrap().is_some());
        let total = office.text_of("total");
        assert!(total.contains(meaning), "{total}");
    }
    office.choose("state", "Any meaning");
    office.shows(4, 1).await;
}

#[wasm_bindgen_test]
async fn payments_are_sorted_and_the_pager_says_so() {
    let office = with_a_different_one().await;
    office.choose("sort", "Lowest price first");
    until("the dearest one is last", || {
        office.invoices() == ["INV-2", "INV-1", "INV-3"]
    })
    .await;
    let pager = office.text_of("pager");
    assert!(
        pager.contains("Next") && !pager.contains("Older"),
        "{pager}"
    );
    office.choose("sort", "Newest first");
    office.shows(3, 1).await;
}
