//! What is tested: the checkout's own loader, stylesheet, texts and module.

use js_sys::Promise;
use tender_checkout::Loader;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

use super::stream;

pub(crate) const TAG: &str = "tender-checkout";
pub(super) const LOADER: &str = include_str!("../../src/checkout.js");
pub(super) const STYLE: &str = concat!(
    include_str!("../../style/element.css"),
    include_str!("../../style/checkout.css")
);
/// The texts of a language that is written from right to left.
pub(crate) const ARABIC: &str = include_str!("../../locales/ar.json");

/// Puts stand-ins into the page that no other element needs.
pub(super) fn install() {
    stream::install();
}

/// The module's `mount`.
pub(super) fn mount() -> JsValue {
    type Mount = dyn FnMut(
        HtmlElement,
        HtmlElement,
        String,
        Option<Promise>,
        Option<Promise>,
        Loader,
    ) -> JsValue;
    Closure::<Mount>::new(|host, card, language, texts, tokens, loader| {
        JsValue::from(tender_checkout::mount(
            host, card, language, texts, tokens, loader,
        ))
    })
    .into_js_value()
}
