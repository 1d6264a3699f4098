//! The element under test: the dashboard's loader, texts and module.

use js_sys::Promise;
use tender_element_testing::Subject;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

pub(crate) const SUBJECT: Subject = Subject {
    tag: "tender-payments",
    loader: include_str!("../../../../target/loaders/payments.js"),
    arabic: include_str!("../../locales/ar.json"),
    mount,
    // All styles are the loader's.
    style: String::new,
};

fn mount() -> JsValue {
    type Mount = dyn FnMut(HtmlElement, HtmlElement, String, Option<Promise>) -> JsValue;
    Closure::<Mount>::new(|host, card, language, texts| {
        JsValue::from(tender_payments::mount(host, card, language, texts))
    })
    .into_js_value()
}
