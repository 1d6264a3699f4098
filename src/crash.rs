//! What happens when the module panics.

use js_sys::Function;
use tender_element::crash::report_to;
use wasm_bindgen::prelude::*;

/// Calls `report` with the panic's message, should one ever come.
#[wasm_bindgen(js_name = onCrash)]
pub fn on_crash(report: Function) {
    report_to(report, "tender-checkout");
}
