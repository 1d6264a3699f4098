//! The browser's garbage collector, and what an element leaves to it.

use js_sys::{ArrayBuffer, Function, Promise, WebAssembly};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Node;

/// Chromium has `gc` with --js-flags=--expose-gc, and Firefox `TestUtils` with dom.testing.testutils.enabled: see
/// webdriver.json.
const COLLECT: &str = "return globalThis.gc ? gc() : TestUtils.gc();";

/// Collects once.
pub async fn collect() {
    let collected = Function::new_no_args(COLLECT).call0(&JsValue::UNDEFINED);
    let collected = Promise::resolve(&collected.expect("a collector that a page can call"));
    JsFuture::from(collected).await.unwrap();
}

/// The number of nodes below this one: elements, texts and comments.
pub fn count_nodes(node: &Node) -> u32 {
    let children = node.child_nodes();
    let children = (0..children.length()).filter_map(|index| children.get(index));
    children.map(|child| 1 + count_nodes(&child)).sum()
}

/// The size of the module's memory, in bytes.
pub fn memory() -> u32 {
    let memory: WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    let buffer: ArrayBuffer = memory.buffer().unchecked_into();
    buffer.byte_length()
}
