//! Functions of the page that throw, are missing, or return something unexpected.

use js_sys::Reflect;
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::Event;

use crate::support::office::Office;
use crate::support::shop::{Shop, record};
use crate::support::wait::settled;
use crate::support::{Replaced, clock};

const THROWS: &str = "() => { throw new Error('replaced by the page'); }";
const RETURNS_A_NUMBER: &str = "() => 5";

/// The element still reacts to the merchant.
async fn still_works(shop: &Shop, office: &Office) {
    shop.add([record(9)]);
    office.call("refresh");
    office.until_shown("INV-9").await;
}

/// Not by the function `click`, which a test may have replaced.
fn click_export(office: &Office) {
    let click = Event::new("click").unwrap();
    office.part("export").dispatch_event(&click).unwrap();
}

#[wasm_bindgen_test]
async fn a_fetch_that_fails_is_reported_and_can_be_retried() {
    let returns_no_response = "() => Promise.resolve({})";
    for stand_in in [THROWS, "undefined", RETURNS_A_NUMBER, returns_no_response] {
        let shop = Shop::with(2);
        let replaced = Replaced::new("window", "fetch", stand_in);
        let office = Office::open(&shop);
        office
            .until_shown("The payment server can't be reached.")
            .await;
        assert_eq!(office.error_code(), "unreachable");
        drop(replaced);
        office.press_part("retry");
        office.shows(2, 1).await;
    }
}

#[wasm_bindgen_test]
async fn a_download_that_fails_changes_nothing() {
    for (object, name) in [
        ("URL", "createObjectURL"),
        ("HTMLElement.prototype", "click"),
    ] {
        let shop = Shop::with(1);
        let office = Office::ready(&shop).await;
        let replaced = Replaced::new(object, name, THROWS);
        click_export(&office);
        settled().await;
        drop(replaced);
        still_works(&shop, &office).await;
    }
}

/// Some browsers read the file after the click.
#[wasm_bindgen_test]
async fn an_exported_file_can_be_read_for_a_minute() {
    let shop = Shop::with(1);
    let office = Office::ready(&shop).await;
    let _clicked = Replaced::new("HTMLElement.prototype", "click", "() => {}");
    let _revoked = Replaced::new("URL", "revokeObjectURL", "() => { window.revoked = true; }");
    let is_revoked = || Reflect::has(&js_sys::global(), &"revoked".into()).unwrap();
    click_export(&office);
    settled().await;
    assert!(!is_revoked());
    clock::fire(60_000.0);
    settled().await;
    assert!(is_revoked());
}

#[wasm_bindgen_test]
async fn a_time_that_cannot_be_formatted_is_shown_as_it_is() {
    let shop = Shop::with(1);
    let time = "2026-11-21T10:00:00Z";
    shop.set_ledger(&json!({
        "payments": [{ "transactionId": "t-1", "attempts": 1, "firstAttemptAt": time, "notifiedAt": time,
            "notifications": 1 }],
        "reconciling": [], "more": false,
    }));
    {
        let _replaced = Replaced::new("Date.prototype", "toLocaleString", THROWS);
        let office = Office::ready(&shop).await;
        office.press_part("details");
        office.until_shown(time).await;
    }
    // Browsers throw if the locale is invalid.
    let office = Office::open(&shop);
    office.set("locale", "not a locale");
    office.until_part("details").await;
    office.press_part("details");
    office.until_shown(time).await;
    still_works(&shop, &office).await;
}
