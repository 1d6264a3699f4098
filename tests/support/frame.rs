//! A page inside the test's page, for what a loader does only once in a page, or only while the page loads.

use js_sys::{Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Document, Element, HtmlIFrameElement};

use super::page;
use super::proxy::Proxy;
use super::subject::SUBJECT;

/// Requests of the frame use the page's stand-ins, and its console is recorded.
const PREPARATION: &str = "<script>
    fetch = (...given) => parent.fetch(...given);
    XMLHttpRequest = parent.XMLHttpRequest;
    said = [];
    for (const method of ['error', 'warn'])
      console[method] = (...words) => said.push(words.filter((word) => word.length).join(' '));
    dispatched = [];
    for (const name of ['tender-error', 'tender-ready'])
      addEventListener(name, ({ detail }) => dispatched.push(detail.code ?? name));
</script>";

/// Glue whose module renders nothing. It records the elements that it mounted, their locales, and the methods that were
/// called on their handles.
pub(crate) const QUIET_GLUE: &str = "
    globalThis.mounted = [];
    globalThis.locales = [];
    globalThis.calls = [];
    export default async () => {};
    export const mount = (host, card, locale) => {
      mounted.push(host);
      locales.push(locale);
      const handle = {};
      for (const method of ['update', 'set_locale', 'refresh', 'reset', 'free'])
        handle[method] = () => { calls.push(method); };
      return handle;
    };
    export const on_panic = (report) => { globalThis.report = report; };
    export const stack_pointer = () => globalThis.stackPointer?.() ?? 0;
";

/// Dropping it removes the frame.
pub(crate) struct Frame(HtmlIFrameElement);

impl Frame {
    /// Opens a page with this head and this body, and waits until it is loaded.
    pub(crate) async fn open(head: &str, body: &str) -> Self {
        SUBJECT.open();
        let frame = page::document().create_element("iframe").unwrap();
        let frame: HtmlIFrameElement = frame.unchecked_into();
        frame.set_srcdoc(&format!(
            "<!doctype html><html lang='en'><head><meta charset='utf-8'>{PREPARATION}{head}</head>\
             <body>{body}</body></html>"
        ));
        let loaded = Promise::new(&mut |resolve, _| frame.set_onload(Some(&resolve)));
        page::body().append_child(&frame).unwrap();
        JsFuture::from(loaded).await.unwrap();
        Self(frame)
    }

    /// A script tag with the loader.
    pub(crate) fn tag(glue: &str, data: &str) -> String {
        format!("<script {data}>{}</script>", SUBJECT.script_with(glue))
    }

    /// A checkout with these attributes, besides those of a plain order, as a shop writes it.
    pub(crate) fn element(proxy: &Proxy, attributes: &str) -> String {
        format!(
            "<tender-checkout proxy='{}' token='usdtt' quantity='1' invoice-number='INV-7' {attributes}>\
             <a href='/pay'>Pay another way</a></tender-checkout>",
            proxy.address()
        )
    }

    /// A checkout's card.
    pub(crate) fn card(checkout: &Element) -> Element {
        let root = checkout.shadow_root().unwrap();
        root.query_selector("[part=card]").unwrap().unwrap()
    }

    /// How many elements were mounted by the frame's module.
    pub(crate) fn mounted(&self) -> usize {
        self.words("locales").len()
    }

    pub(crate) fn document(&self) -> Document {
        self.0.content_document().unwrap()
    }

    /// The checkouts in the frame.
    pub(crate) fn checkouts(&self) -> Vec<Element> {
        let found = self
            .document()
            .query_selector_all("tender-checkout")
            .unwrap();
        (0..found.length())
            .map(|index| found.get(index).unwrap().unchecked_into())
            .collect()
    }

    /// A global variable of the frame.
    pub(crate) fn global(&self, name: &str) -> JsValue {
        Reflect::get(&self.0.content_window().unwrap(), &name.into()).unwrap()
    }

    /// A list of texts in the frame: `said` (console) or `dispatched` (events). Empty if there is none.
    pub(crate) fn words(&self, name: &str) -> Vec<String> {
        let list = self.global(name).dyn_into::<js_sys::Array>();
        list.iter()
            .flat_map(js_sys::Array::iter)
            .filter_map(|word| word.as_string())
            .collect()
    }

    /// Whether the fallback of a checkout is visible instead of the checkout.
    pub(crate) fn shows_fallback(element: &Element) -> bool {
        super::mounted::shows_fallback(element)
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        self.0.remove();
    }
}
