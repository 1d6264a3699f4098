//! What is tested: the checkout's own loader, texts and module.

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, Request};

use super::stream;

pub(crate) const TAG: &str = "tender-checkout";
/// `cargo xtask loaders` makes it.
pub(super) const LOADER: &str = include_str!("../../target/loaders/checkout.js");
/// The texts of a language that is written from right to left.
pub(crate) const ARABIC: &str = include_str!("../../locales/ar.json");

/// There are no stand-ins that only this element needs.
pub(super) fn install() {}

/// Answers a request that is not answered by a script: one for a payment's event stream.
pub(super) fn answer(request: &Request) -> Option<Promise> {
    stream::answer(request)
}

/// The module's `mount`.
pub(super) fn mount() -> JsValue {
    type Mount =
        dyn FnMut(HtmlElement, HtmlElement, String, Option<Promise>, Option<Promise>) -> JsValue;
    Closure::<Mount>::new(|host, card, locale, texts, tokens| {
        JsValue::from(tender_checkout::mount(host, card, locale, texts, tokens))
    })
    .into_js_value()
}
