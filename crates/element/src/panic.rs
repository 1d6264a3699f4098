//! What happens after a panic, or after another exception that leaves the module.
//!
//! It leaves the module in an unknown state, for every element on the page. So the loader shows each element's fallback.

use std::cell::RefCell;
use std::hint::black_box;

use js_sys::Function;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    // A page can replace the console; the loader's callback is called in any case.
    #[wasm_bindgen(catch, js_namespace = console, js_name = error)]
    fn console_error(message: &str) -> Result<(), JsValue>;
}

thread_local! {
    static CALLBACK: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Sets the callback for a panic. It is called once, with the message.
#[wasm_bindgen]
pub fn on_panic(callback: Function) {
    CALLBACK.replace(Some(callback));
}

/// Sets the panic hook: it writes the message to the console, and calls the callback of [`on_panic`].
pub fn set_hook() {
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.to_string();
        let _ = console_error(&message);
        if let Some(callback) = CALLBACK.take() {
            // Nothing else can be done if this fails, too.
            let _ = callback.call1(&JsValue::UNDEFINED, &message.into());
        }
    }));
}

/// The address at which the next function of the module stores its local variables.
///
/// Called while no other function of the module is running, it is always the same, unless an exception has left the module:
/// a function that does not return does not restore the stack pointer.
#[wasm_bindgen]
#[inline(never)]
pub fn stack_pointer() -> usize {
    let local = 0_u8;
    black_box(&raw const local).addr()
}
