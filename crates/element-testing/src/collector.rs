//! The browser's garbage collector.

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Chromium has `gc` with --js-flags=--expose-gc, and Firefox `TestUtils` with dom.testing.testutils.enabled: see
/// webdriver.json.
const COLLECT: &str = "return globalThis.gc ? gc() : TestUtils.gc();";

/// Collects once.
pub async fn collect() {
    let collected = Function::new_no_args(COLLECT).call0(&JsValue::UNDEFINED);
    let collected = Promise::resolve(&collected.expect("a collector that a page can call"));
    JsFuture::from(collected).await.unwrap();
}
