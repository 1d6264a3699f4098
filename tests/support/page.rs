//! The test's page: the stand-ins and the loader are put in once.

use std::sync::Once;

use js_sys::{Function, Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{Document, HtmlElement, Storage, window};

use super::{clipboard, clock, loader, proxy, subject};

/// The glue that the loader imports: the module is this test's own, and already there.
const GLUE: &str = "
    export default async () => {};
    export const mount = (...given) => tender.mount(...given);
    export const onCrash = (report) => tender.onCrash(report);
";

static OPENED: Once = Once::new();

/// Puts everything into the page; the second time there is nothing left to do.
///
/// The module's panic hook is left out: the tests' own one tells which assertion failed.
pub(crate) fn open() {
    open_with(|_report| {});
}

/// Puts everything into the page, with this for the module's `onCrash`.
pub(crate) fn open_with(on_crash: fn(Function)) {
    OPENED.call_once(|| {
        clock::install();
        proxy::install();
        clipboard::install();
        subject::install();
        publish_module(on_crash);
        let head = document().head().unwrap();
        loader::run_after(
            &document(),
            &head.first_element_child().unwrap(),
            &text(),
            &[],
        );
    });
}

/// The loader as it stands in this page.
pub(crate) fn text() -> String {
    loader::text(&loader::module(GLUE))
}

pub(crate) fn document() -> Document {
    window().unwrap().document().unwrap()
}

/// What the tab remembers.
pub(crate) fn session() -> Storage {
    window().unwrap().session_storage().unwrap().unwrap()
}

/// Where tests put their elements.
pub(crate) fn body() -> HtmlElement {
    document().body().unwrap()
}

fn publish_module(on_crash: fn(Function)) {
    let on_crash = Closure::<dyn FnMut(Function)>::new(on_crash);
    let tender = Object::new();
    for (name, function) in [
        ("mount", subject::mount()),
        ("onCrash", on_crash.into_js_value()),
    ] {
        Reflect::set(&tender, &name.into(), &function).unwrap();
    }
    Reflect::set(&window().unwrap(), &"tender".into(), &tender).unwrap();
}
