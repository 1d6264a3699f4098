//! What happens when the module panics.
//!
//! A panic ends the WASM instance for every element on the page. The loader hears of it, and
//! turns each of them into its fallback.

use std::cell::RefCell;

use js_sys::Function;
use wasm_bindgen::JsValue;

thread_local! {
    static REPORT: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Calls `report` with the panic's message, should one ever come to the module of the elements
/// named `tag`. The message also goes to the console, which adds a trace.
pub fn report_to(report: Function, tag: &'static str) {
    REPORT.replace(Some(report));
    std::panic::set_hook(Box::new(move |panic| {
        let message = JsValue::from_str(&format!("{tag} crashed: {panic}"));
        web_sys::console::error_1(&message);
        if let Some(report) = REPORT.take() {
            // There is nobody left to tell if this fails too.
            let _ = report.call1(&JsValue::UNDEFINED, &message);
        }
    }));
}
