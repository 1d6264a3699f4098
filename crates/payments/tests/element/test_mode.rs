//! Test mode: the dashboard says that the payments are not real.

use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::mounted::is_seen;
use crate::support::office::Office;
use crate::support::shop::{Shop, record};
use crate::support::wait::settled;

const BANNER: &str = "Test mode: these payments are not real, and no money has been received.";

async fn until_banner(office: &Office) {
    office.until_part("test-mode").await;
    assert_eq!(office.text_of("test-mode"), BANNER);
    assert!(is_seen(&office.part("test-mode")));
    assert_eq!(office.role("note").len(), 1);
}

#[wasm_bindgen_test]
async fn a_list_of_tests_has_a_banner() {
    // Before there is a payment, the proxy's ledger says it.
    let shop = Shop::with(0);
    shop.set_ledger(&json!({ "payments": [], "reconciling": [], "more": false, "testMode": true }));
    until_banner(&Office::ready(&shop).await).await;

    // Without the ledger, the payments say it.
    let shop = Shop::with(1);
    let office = Office::ready(&shop).await;
    settled().await;
    assert!(!office.has_part("test-mode"));
    let mut test = record(2);
    test["testMode"] = true.into();
    shop.add([test]);
    office.press_part("refresh");
    until_banner(&office).await;
}
