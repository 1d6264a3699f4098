//! The element under test: the dashboard's loader, texts and module.

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, Request};

pub(crate) const TAG: &str = "tender-payments";
/// Built by `cargo xtask loaders`.
pub(super) const LOADER: &str = include_str!("../../../../target/loaders/payments.js");
/// The texts of a right-to-left language.
pub(crate) const ARABIC: &str = include_str!("../../locales/ar.json");

/// This element needs no stand-ins of its own.
pub(super) fn install() {}

/// All requests have scripted responses.
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

/// All styles are the loader's.
pub(super) fn style() -> String {
    String::new()
}
