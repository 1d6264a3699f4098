//! A page inside the test's page, for what a loader does only once in a page, or only while the page loads.

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Document, Element, HtmlIFrameElement, Node};

use super::address;
use super::loader::module;
use super::mounted::shows_fallback;
use super::page;
use super::proxy::Proxy;
use super::subject::SUBJECT;
use super::wait::until;

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

/// The same, whose module starts after [`Frame::arrive`].
pub(crate) fn late_glue() -> String {
    QUIET_GLUE.replace(
        "export default async () => {};",
        "export default () => new Promise((resolve) => { globalThis.arrive = resolve; });",
    )
}

/// Glue that never finishes its import, so that there is the loader alone.
pub(crate) const ENDLESS_GLUE: &str = "await new Promise(() => {});";

/// Glue that can't be imported.
pub(crate) const BROKEN_GLUE: &str = "throw new Error('no luck')";

/// A script by which each request for the form gets this response, or the HTTP status `formStatus`. `answered` has an entry
/// then.
pub(crate) fn answering(response: &str) -> String {
    let response = serde_json::to_string(response).unwrap();
    let response = response.replace("</", "<\\/");
    format!(
        "<script>XMLHttpRequest = class {{
            open() {{}}
            send() {{
                this.status = globalThis.formStatus ?? 200;
                this.response = new DOMParser().parseFromString({response}, 'text/html');
                setTimeout(() => {{ this.onloadend(); globalThis.answered = ['yes']; }});
            }}
        }}</script>"
    )
}

/// Dropping it removes the frame.
pub(crate) struct Frame(HtmlIFrameElement);

impl Frame {
    /// Opens a page with this head and this body, and waits until it is loaded.
    pub(crate) async fn open(head: &str, body: &str) -> Self {
        Self::sandboxed(None, head, body).await
    }

    /// The same, in a sandbox with these permissions.
    pub(crate) async fn sandboxed(permissions: Option<&str>, head: &str, body: &str) -> Self {
        SUBJECT.open();
        let frame = page::document().create_element("iframe").unwrap();
        let frame: HtmlIFrameElement = frame.unchecked_into();
        frame.set_srcdoc(&format!(
            "<!doctype html><html lang='en'><head><meta charset='utf-8'>{}{PREPARATION}{head}</head>\
             <body>{body}</body></html>",
            address()
        ));
        if let Some(permissions) = permissions {
            frame.set_attribute("sandbox", permissions).unwrap();
        }
        let loaded = Promise::new(&mut |resolve, _| frame.set_onload(Some(&resolve)));
        page::body().append_child(&frame).unwrap();
        JsFuture::from(loaded).await.unwrap();
        Self(frame)
    }

    /// Opens a page with this in its head, the loader, which imports glue with this source, and one checkout.
    pub(crate) async fn with(head: &str, glue: &str) -> Self {
        Self::of(&Proxy::new(), head, glue).await
    }

    /// The same, whose checkout has this proxy.
    pub(crate) async fn of(proxy: &Proxy, head: &str, glue: &str) -> Self {
        let head = [head, &Self::tag(&module(glue), "")].concat();
        Self::open(&head, &Self::element_of(proxy, "")).await
    }

    /// A script tag with the loader.
    pub(crate) fn tag(glue: &str, data: &str) -> String {
        format!("<script {data}>{}</script>", SUBJECT.script_with(glue))
    }

    /// A checkout with these attributes, besides those of a plain order, as a shop writes it.
    pub(crate) fn element(attributes: &str) -> String {
        Self::element_of(&Proxy::new(), attributes)
    }

    /// The same with this proxy.
    pub(crate) fn element_of(proxy: &Proxy, attributes: &str) -> String {
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

    /// The first checkout.
    pub(crate) fn checkout(&self) -> Element {
        self.checkouts().remove(0)
    }

    /// Inserts a node at the end of the page, or moves it there.
    pub(crate) fn append(&self, node: &Node) {
        let body = self.document().body().unwrap();
        body.append_child(node).unwrap();
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

    /// Waits for a global function of the frame, and calls it.
    pub(crate) async fn call(&self, name: &str) {
        until(&format!("there is {name}"), || {
            self.global(name).is_function()
        })
        .await;
        let function: Function = self.global(name).unchecked_into();
        function.call0(&JsValue::UNDEFINED).unwrap();
    }

    /// Lets the module of [`late_glue`] start.
    pub(crate) async fn arrive(&self) {
        self.call("arrive").await;
        self.until_mounted().await;
    }

    /// Waits until the frame's module has mounted an element.
    pub(crate) async fn until_mounted(&self) {
        until("an element is mounted", || self.mounted() > 0).await;
    }

    /// Waits until exactly these events were dispatched.
    pub(crate) async fn until_dispatched(&self, events: &[&str]) {
        until(&format!("{events:?} are dispatched"), || {
            self.words("dispatched") == events
        })
        .await;
    }

    /// Whether every checkout shows its fallback.
    pub(crate) fn shows_fallbacks(&self) -> bool {
        self.checkouts().iter().all(shows_fallback)
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        self.0.remove();
    }
}
