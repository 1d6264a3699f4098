//! What needs a browser, without an element.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod panic;
mod tasks;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
