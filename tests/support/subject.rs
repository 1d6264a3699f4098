//! The element under test: the checkout's loader, texts and module.

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, Request};

use super::stream;

pub(crate) const TAG: &str = "tender-checkout";
/// Built by `cargo xtask loaders`.
pub(super) const LOADER: &str = include_str!("../../target/loaders/checkout.js");
/// The texts of a right-to-left language.
pub(crate) const ARABIC: &str = include_str!("../../locales/ar.json");

/// This element needs no stand-ins of its own.
pub(super) fn install() {}

/// Responds to a request without a scripted response: one for a payment's event stream.
pub(super) fn answer(request: &Request) -> Option<Promise> {
    stream::answer(request)
}

/// The module's `mount`.
pub(super) fn mount() -> JsValue {
    type Loaded = Option<Promise>;
    type Mount = dyn FnMut(HtmlElement, HtmlElement, String, Loaded, Loaded, Loaded) -> JsValue;
    Closure::<Mount>::new(|host, card, locale, texts, tokens, payment| {
        let handle = tender_checkout::mount(host, card, locale, texts, tokens, payment);
        JsValue::from(handle)
    })
    .into_js_value()
}

/// The module's styles.
pub(super) fn style() -> String {
    tender_checkout::style()
}
