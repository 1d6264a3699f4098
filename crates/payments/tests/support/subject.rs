//! What is tested: the payments' own loader, texts and module.

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, Request};

pub(crate) const TAG: &str = "tender-payments";
/// `cargo xtask loaders` makes it.
pub(super) const LOADER: &str = include_str!("../../../../target/loaders/payments.js");
/// The texts of a language that is written from right to left.
pub(crate) const ARABIC: &str = include_str!("../../locales/ar.json");

/// There are no stand-ins that only this element needs.
pub(super) fn install() {}

/// Every request is answered by a script.
pub(super) fn answer(_request: &Request) -> Option<Promise> {
    None
}

/// The module's `mount`.
pub(super) fn mount() -> JsValue {
    type Mount = dyn FnMut(HtmlElement, HtmlElement, String, Option<Promise>) -> JsValue;
    Closure::<Mount>::new(|host, card, language, texts| {
        JsValue::from(tender_payments::mount(host, card, language, texts))
    })
    .into_js_value()
}
