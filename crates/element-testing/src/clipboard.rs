//! The page's clipboard: a headless browser does not grant access to the real one.

use std::cell::{Cell, RefCell};

use js_sys::{Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::window;

thread_local! {
    static TEXT: RefCell<Option<String>> = const { RefCell::new(None) };
    static REFUSES: Cell<bool> = const { Cell::new(false) };
}

/// Returns the last copied text, and clears it.
pub fn take() -> Option<String> {
    TEXT.take()
}

/// Whether writing fails from now on, as without the permission.
pub fn refuse(refuses: bool) {
    REFUSES.set(refuses);
}

pub(crate) fn install() {
    let write = Closure::<dyn FnMut(String) -> Promise>::new(|text: String| {
        if REFUSES.get() {
            return Promise::reject(&"NotAllowedError".into());
        }
        TEXT.replace(Some(text));
        Promise::resolve(&JsValue::UNDEFINED)
    });
    let stand_in = Object::new();
    Reflect::set(&stand_in, &"writeText".into(), &write.into_js_value()).unwrap();
    let property = Object::new();
    Reflect::set(&property, &"value".into(), &stand_in).unwrap();
    let navigator = window().unwrap().navigator();
    Object::define_property(&navigator, &"clipboard".into(), &property);
}
