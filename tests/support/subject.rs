//! The element under test: the checkout's loader, texts and module.

use js_sys::Promise;
use tender_element_testing::Subject;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

pub(crate) const SUBJECT: Subject = Subject {
    tag: "tender-checkout",
    loader: include_str!("../../target/loaders/checkout.js"),
    arabic: include_str!("../../locales/ar.json"),
    mount,
    style: tender_checkout::style,
};

fn mount() -> JsValue {
    type Loaded = Option<Promise>;
    type Mount = dyn FnMut(HtmlElement, HtmlElement, String, Loaded, Loaded, Loaded) -> JsValue;
    Closure::<Mount>::new(|host, card, locale, texts, tokens, payment| {
        let handle = tender_checkout::mount(host, card, locale, texts, tokens, payment);
        JsValue::from(handle)
    })
    .into_js_value()
}
