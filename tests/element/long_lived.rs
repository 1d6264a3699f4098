//! An element that is open for days, and changes thousands of times.

use wasm_bindgen::externref_heap_live_count;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::checkout::Checkout;
use crate::support::collector::{count_nodes, memory};
use crate::support::proxy::Proxy;
use crate::support::wait::until;
use crate::support::{record, stream};

const CHANGES: u32 = 10_000;
/// Of WebAssembly, in bytes.
const PAGE: u32 = 65_536;

#[wasm_bindgen_test]
async fn ten_thousand_changes_of_the_status_leave_nothing() {
    let proxy = Proxy::new();
    stream::offer(&proxy);
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    let stream = stream::open_one(&proxy);
    let change = async |number: u32| {
        let status = format!("Status {number}");
        stream.say(&record::with_status(&number.to_string(), &status));
        if number.is_multiple_of(100) {
            until("the change is shown", || {
                checkout.text_of("status") == status
            })
            .await;
            checkout.clear_events();
        }
    };
    for number in 1..=CHANGES / 10 {
        change(number).await;
    }
    let nodes = count_nodes(&checkout.root());
    let (objects, bytes) = (externref_heap_live_count(), memory());
    for number in CHANGES / 10 + 1..=CHANGES {
        change(number).await;
    }
    assert_eq!(count_nodes(&checkout.root()), nodes, "nodes in the page");
    let more_objects = externref_heap_live_count().saturating_sub(objects);
    assert!(more_objects < 10, "{more_objects} more objects of the page");
    // The memory grows by whole pages: a few bytes for each change would be more than one.
    let growth = memory() - bytes;
    assert!(growth <= PAGE, "{growth} bytes of the module's memory");
}
