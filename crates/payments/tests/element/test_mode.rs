//! Test mode: the dashboard says that the payments are not real.

use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::mounted::is_seen;
use crate::support::office::Office;
use crate::support::shop::{Shop, record};
use crate::support::wait::{settled, until};

const BANNER: &str = "Test mode: these payments are not real, and no money has been received.";

fn assert_banner(office: &Office) {
    let banner = office.part("test-mode");
    assert_eq!(banner.text_content().as_deref(), Some(BANNER));
    assert!(is_seen(&banner));
    assert_eq!(office.role("note").len(), 1);
}

/// Before there is a payment, the proxy's ledger says it.
#[wasm_bindgen_test]
async fn an_empty_list_has_a_banner() {
    let shop = Shop::with(0);
    shop.set_ledger(&json!({ "payments": [], "reconciling": [], "more": false, "testMode": true }));
    let office = Office::ready(&shop).await;
    office.until_part("test-mode").await;
    assert_banner(&office);
}

/// Without the ledger, the payments say it.
#[wasm_bindgen_test]
async fn a_list_of_tests_has_a_banner() {
    let shop = Shop::with(1);
    let office = Office::ready(&shop).await;
    settled().await;
    assert!(!office.has_part("test-mode"));
    let mut test = record(2);
    test["testMode"] = true.into();
    shop.add([test]);
    office.press_part("refresh");
    until("the banner is shown", || office.has_part("test-mode")).await;
    assert_banner(&office);
}
