//! An element that is open for days, and changes thousands of times.

use wasm_bindgen::externref_heap_live_count;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::Node;

use crate::support::checkout::Checkout;
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
                checkout.part("status").text_content() == Some(status.clone())
            })
            .await;
            checkout.clear_events();
        }
    };
    for number in 1..=CHANGES / 10 {
        change(number).await;
    }
    let nodes = count_nodes(&checkout.root());
    let (objects, memory) = (externref_heap_live_count(), memory());
    for number in CHANGES / 10 + 1..=CHANGES {
        change(number).await;
    }
    assert_eq!(count_nodes(&checkout.root()), nodes, "nodes in the page");
    let more_objects = externref_heap_live_count().saturating_sub(objects);
    assert!(more_objects < 10, "{more_objects} more objects of the page");
    // The memory grows by whole pages: a few bytes for each change would be more than one.
    let growth = self::memory() - memory;
    assert!(growth <= PAGE, "{growth} bytes of the module's memory");
}

/// All nodes below this one, with text and comments.
fn count_nodes(node: &Node) -> u32 {
    let children = node.child_nodes();
    let children = (0..children.length()).filter_map(|at| children.get(at));
    children.map(|child| 1 + count_nodes(&child)).sum()
}

fn memory() -> u32 {
    use wasm_bindgen::JsCast;
    let memory: js_sys::WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    memory
        .buffer()
        .unchecked_into::<js_sys::ArrayBuffer>()
        .byte_length()
}
