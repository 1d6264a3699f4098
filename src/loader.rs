//! What the loader (`checkout.js`) does for the module.

use js_sys::Promise;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The loader, as it hands itself over to [`mount`](crate::mount).
    #[derive(Clone, Debug)]
    pub type Loader;

    /// Asks for JSON: a promise of the answer's `{ status, body }`. So the module needs no requests of its own before
    /// the buyer submits.
    #[wasm_bindgen(method)]
    pub(crate) fn ask(this: &Loader, url: &str) -> Promise;

    /// Adds rules to the stylesheet that all elements share. Where a page prevents that, the console hears of it.
    #[wasm_bindgen(method)]
    pub(crate) fn style(this: &Loader, rules: &str);
}
