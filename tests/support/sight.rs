//! The visibility of the page.

use js_sys::{Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{Event, EventInit, window};

use super::page;

/// Hides the page, as when the user switches to another tab.
pub(crate) fn hide() {
    set_hidden(true);
    change();
}

/// Shows it again.
pub(crate) fn show() {
    set_hidden(false);
    change();
}

/// The page is restored from the back/forward cache, or is online again.
pub(crate) fn say_to_window(event: &str) {
    let event = Event::new(event).unwrap();
    window().unwrap().dispatch_event(&event).unwrap();
}

fn set_hidden(hidden: bool) {
    let property = Object::new();
    Reflect::set(&property, &"value".into(), &hidden.into()).unwrap();
    Reflect::set(&property, &"configurable".into(), &JsValue::TRUE).unwrap();
    Object::define_property(page::document().as_ref(), &"hidden".into(), &property);
}

fn change() {
    let init = EventInit::new();
    init.set_bubbles(true);
    let event = Event::new_with_event_init_dict("visibilitychange", &init).unwrap();
    page::document().dispatch_event(&event).unwrap();
}
