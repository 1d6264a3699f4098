//! A page that is open for days: changes leave nothing behind in the card, and in memory only what Leptos keeps of a row.
//!
//! The module's bytes are counted one by one. In each run in Chromium, Firefox and `WebKitGTK`, the measured statuses left not one,
//! and each row left [`ROW`], besides what the [`LIST`] grew by.

use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::collector::Held;
use crate::support::office::Office;
use crate::support::shop::{LEDGER, Shop, record};
use crate::support::stream::{Stream, open_one};
use crate::support::wait::{settled, tick};

/// Changes until all buffers are as large as they become.
const WARM_UP: usize = 100;

/// Changes that are measured: more than before them, so that a list with an entry for each change grows at least once meanwhile.
const CHANGES: usize = 200;

/// The bytes that Leptos keeps of each row until the whole list is removed (see docs/PERFORMANCE.md): the owner of each child of
/// a `<For>`.
const ROW: usize = 72;

/// The bytes by which the list of these owners grows meanwhile: it doubles once, from 256 entries of 4 bytes.
const LIST: usize = 256 * 4;

#[wasm_bindgen_test]
async fn changed_statuses_leave_nothing_behind() {
    let shop = Shop::with(2);
    let office = Office::streaming(&shop).await;
    let stream = open_one(&shop.proxy);
    change_statuses(&office, &stream, WARM_UP).await;
    let before = held(&office).await;
    change_statuses(&office, &stream, CHANGES).await;
    held(&office).await.assert_as(&before, 0);
}

#[wasm_bindgen_test]
async fn new_rows_and_requests_leave_only_their_owners_behind() {
    let shop = Shop::with(2);
    shop.set_ledger(&json!({ "payments": [], "reconciling": [], "more": false }));
    let office = Office::ready(&shop).await;
    office.shows(2, 1).await;
    replace_rows(&office, &shop, WARM_UP).await;
    let before = held(&office).await;
    replace_rows(&office, &shop, CHANGES).await;
    held(&office).await.assert_as(&before, CHANGES * ROW + LIST);
}

/// Changes the status of one payment again and again.
async fn change_statuses(office: &Office, stream: &Stream, changes: usize) {
    for index in 0..changes {
        let mut payment = record(1);
        payment["statusId"] = json!(if index.is_multiple_of(2) { "4" } else { "1" });
        stream.send("status", "1", &payment.to_string());
        tick().await;
        office.clear_events();
    }
    settled().await;
    office.clear_events();
}

/// Searches for one payment, then for the other, and so on. Each time the row is another one, and the
/// ledger is requested.
async fn replace_rows(office: &Office, shop: &Shop, changes: usize) {
    let mut requests = 0;
    for index in 0..changes {
        let invoice = ["INV-1", "INV-2"][index % 2];
        office.search(invoice);
        tick().await;
        if index.is_multiple_of(100) {
            settled().await;
            assert_eq!(office.invoices(), [invoice]);
            requests += shop.proxy.sent(LEDGER).len();
            shop.proxy.forget_requests();
        }
    }
    settled().await;
    requests += shop.proxy.sent(LEDGER).len();
    assert!(requests >= changes, "{requests} requests");
    shop.proxy.forget_requests();
}

/// What is held for the card.
async fn held(office: &Office) -> Held {
    Held::below(&office.part("card")).await
}
