//! A panic in the module, a real one.

use std::cell::Cell;

use wasm_bindgen::prelude::*;

use super::mounted::Mounted;

/// Panics in the middle of what the module does: while it tells the page of wrong attributes of this
/// element. That begins once the test waits.
pub(crate) fn strike(mounted: &Mounted) {
    let has_panicked = Cell::new(false);
    let listener = Closure::<dyn FnMut()>::new(move || {
        assert!(has_panicked.replace(true), "a defect");
    });
    let listener = listener.into_js_value();
    mounted
        .element
        .add_event_listener_with_callback("tender-error", listener.unchecked_ref())
        .unwrap();
    // From a task of the browser's: the trap ends that one, and not this test.
    let wrong = js_sys::Function::new_with_args(
        "element",
        "setTimeout(() => element.removeAttribute('proxy'))",
    );
    wrong.call1(&JsValue::UNDEFINED, &mounted.element).unwrap();
}
