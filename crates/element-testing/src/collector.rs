//! The browser's garbage collector, and what an element leaves to it.

use std::alloc::System;

use heapster::Heapster;
use js_sys::{Function, Promise};
use wasm_bindgen::externref_heap_live_count;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Node;

use crate::wait::settled;

/// Chromium has `gc` with --js-flags=--expose-gc, and Firefox `TestUtils` with dom.testing.testutils.enabled: see
/// webdriver.json. `WebKitGTK` has neither.
const COLLECT: &str = "return globalThis.gc ? gc() : globalThis.TestUtils?.gc();";

/// Collects once, where a page can call the collector.
pub async fn collect() {
    let collected = Function::new_no_args(COLLECT).call0(&JsValue::UNDEFINED);
    let collected = Promise::resolve(&collected.unwrap());
    JsFuture::from(collected).await.unwrap();
}

/// The number of nodes below this one: elements, texts and comments.
fn count_nodes(node: &Node) -> u32 {
    let children = node.child_nodes();
    let children = (0..children.length()).filter_map(|index| children.get(index));
    children.map(|child| 1 + count_nodes(&child)).sum()
}

/// Counts what [`Held`] compares.
#[global_allocator]
static ALLOCATOR: Heapster<System> = Heapster::new(System);

/// What is held for an element that stays in the page.
pub struct Held {
    /// The nodes below one: elements, texts and comments.
    nodes: u32,
    /// The page's objects that the module references.
    objects: u32,
    /// The bytes that the module has allocated and not freed.
    bytes: usize,
}

impl Held {
    /// Objects that are no leak: they are created once.
    const A_FEW: u32 = 4;

    /// Bytes that are no leak. Changes need more of them than this: then one byte per change is noticed.
    const A_FEW_BYTES: usize = 128;

    /// The nodes below this one, and the objects and bytes of the whole module. What earlier tests no longer use is given back
    /// before, where a page can call the collector.
    pub async fn below(node: &Node) -> Self {
        for _ in 0..3 {
            collect().await;
            settled().await;
        }
        Self {
            nodes: count_nodes(node),
            objects: externref_heap_live_count(),
            bytes: ALLOCATOR.use_curr(),
        }
    }

    /// Fails if there is more than before, and than these bytes that are known to stay.
    #[track_caller]
    pub fn assert_as(&self, before: &Self, staying: usize) {
        assert_eq!(self.nodes, before.nodes, "nodes");
        let objects = self.objects.saturating_sub(before.objects);
        assert!(objects < Self::A_FEW, "{objects} more objects of the page");
        let bytes = self.bytes.saturating_sub(before.bytes);
        assert!(
            bytes <= staying + Self::A_FEW_BYTES,
            "{bytes} more bytes of the module, and {staying} are known to stay"
        );
    }
}
