//! The test's page: stand-ins and loader are added once.

use std::sync::Once;

use js_sys::{Object, Reflect};
use web_sys::{Document, HtmlElement, Storage, window};

use super::{clipboard, clock, loader, proxy, subject};

/// The glue that the loader imports: the test's own module, which is already loaded.
const GLUE: &str = "
    export default async () => {};
    export const mount = (...given) => tender.mount(...given);
    export const style = () => tender.style;
    export const on_panic = () => {};
    export const stack_pointer = () => 0;
";

static OPENED: Once = Once::new();

/// Adds everything to the page, on the first call only.
pub(crate) fn open() {
    OPENED.call_once(|| {
        clock::install();
        proxy::install();
        clipboard::install();
        subject::install();
        publish_module();
        let head = document().head().unwrap();
        loader::run_after(
            &document(),
            &head.first_element_child().unwrap(),
            &text(),
            &[],
        );
    });
}

/// The loader in this page.
pub(crate) fn text() -> String {
    loader::text(&loader::module(GLUE))
}

pub(crate) fn document() -> Document {
    window().unwrap().document().unwrap()
}

/// What the tab has saved.
pub(crate) fn session() -> Storage {
    window().unwrap().session_storage().unwrap().unwrap()
}

/// The parent of the tests' elements.
pub(crate) fn body() -> HtmlElement {
    document().body().unwrap()
}

fn publish_module() {
    let tender = Object::new();
    Reflect::set(&tender, &"mount".into(), &subject::mount()).unwrap();
    Reflect::set(&tender, &"style".into(), &subject::style().into()).unwrap();
    Reflect::set(&window().unwrap(), &"tender".into(), &tender).unwrap();
}
