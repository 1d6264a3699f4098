//! What happens when the module panics.
//!
//! A panic ends the WASM instance for every element on the page. The loader hears of it, and
//! turns each of them into its fallback.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

thread_local! {
    static REPORT: RefCell<Option<js_sys::Function>> = const { RefCell::new(None) };
}

/// Calls `report` with the panic's message, should one ever come. The message also goes to the
/// console, which adds a trace.
#[wasm_bindgen(js_name = onCrash)]
pub fn on_crash(report: js_sys::Function) {
    REPORT.replace(Some(report));
    std::panic::set_hook(Box::new(|panic| {
        let message = JsValue::from_str(&format!("tender-checkout crashed: {panic}"));
        web_sys::console::error_1(&message);
        if let Some(report) = REPORT.take() {
            // There is nobody left to tell if this fails too.
            let _ = report.call1(&JsValue::UNDEFINED, &message);
        }
    }));
}
