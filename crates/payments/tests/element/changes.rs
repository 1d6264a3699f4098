//! A page that is open for days: changes leave nothing behind in the card, and in memory only what Leptos keeps of a row.

use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::collector::{self, count_nodes, memory};
use crate::support::office::Office;
use crate::support::shop::{LEDGER, Shop, record};
use crate::support::stream::{Stream, open_one};
use crate::support::wait::{settled, tick};

/// Memory grows by pages of 64 KiB. One is tolerated: it is half of what a leak of 64 bytes per row, or
/// of 13 bytes per status, would take.
const MAX_GROWTH: u32 = 64 * 1024;

/// The bytes that Leptos keeps of each row until the whole list is removed (see docs/PERFORMANCE.md): an entry for the owner of
/// each child of a `<For>`. Measured: 76.
const ROW: u32 = 80;

#[wasm_bindgen_test]
async fn ten_thousand_changed_statuses_leave_nothing_behind() {
    let shop = Shop::with(2);
    let office = Office::streaming(&shop).await;
    let stream = open_one(&shop.proxy);
    change_statuses(&office, &stream, 1_000).await;
    let before = (nodes(&office), memory());
    change_statuses(&office, &stream, 10_000).await;
    assert_eq!(nodes(&office), before.0, "nodes in the card");
    let growth = memory() - before.1;
    assert!(growth <= MAX_GROWTH, "memory has grown by {growth} bytes");
}

#[wasm_bindgen_test]
async fn two_thousand_new_rows_and_requests_leave_only_their_owners_behind() {
    let shop = Shop::with(2);
    shop.set_ledger(&json!({ "payments": [], "reconciling": [], "more": false }));
    let office = Office::ready(&shop).await;
    office.shows(2, 1).await;
    replace_rows(&office, &shop, 500).await;
    let before = (nodes(&office), memory());
    replace_rows(&office, &shop, 2_000).await;
    assert_eq!(nodes(&office), before.0, "nodes in the card");
    let growth = memory() - before.1;
    assert!(
        growth <= 2_000 * ROW + MAX_GROWTH,
        "memory has grown by {growth} bytes"
    );
}

/// Changes the status of one payment again and again.
async fn change_statuses(office: &Office, stream: &Stream, changes: usize) {
    for index in 0..changes {
        let mut payment = record(1);
        payment["statusId"] = json!(if index.is_multiple_of(2) { "4" } else { "1" });
        stream.send("status", "1", &payment.to_string());
        tick().await;
        if index.is_multiple_of(500) {
            office.clear_events();
            collect_garbage().await;
        }
    }
    settled().await;
    office.clear_events();
    collect_garbage().await;
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
            collect_garbage().await;
        }
    }
    settled().await;
    requests += shop.proxy.sent(LEDGER).len();
    assert!(requests >= changes, "{requests} requests");
    shop.proxy.forget_requests();
    collect_garbage().await;
}

/// All nodes in the card.
fn nodes(office: &Office) -> u32 {
    count_nodes(&office.part("card"))
}

/// Leptos frees a listener once the browser's garbage collector has found that it is not used.
async fn collect_garbage() {
    for _ in 0..3 {
        collector::collect().await;
        settled().await;
    }
}
