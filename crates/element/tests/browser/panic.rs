//! The module's stack pointer shows whether an exception has left the module.

use std::hint::black_box;

use js_sys::Function;
use tender_element::panic::stack_pointer;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen(
    inline_js = "export const throwError = () => { throw new Error(\"of the page\"); };"
)]
extern "C" {
    #[wasm_bindgen(js_name = throwError)]
    fn throw_error();
}

/// Whether the stack pointer is another one after the page has called this function of the module.
fn changes_stack_pointer(function: impl FnMut() + 'static) -> bool {
    let function = Closure::<dyn FnMut()>::new(function);
    let read = Closure::<dyn FnMut() -> usize>::new(stack_pointer);
    let page = Function::new_with_args(
        "run, read",
        "const before = read(); try { run(); } catch {} return read() !== before;",
    );
    let result = page.call2(&JsValue::UNDEFINED, function.as_ref(), read.as_ref());
    function.forget(); // it may not have returned
    result.unwrap().is_truthy()
}

#[wasm_bindgen_test]
fn an_exception_that_leaves_the_module_changes_the_stack_pointer() {
    assert!(!changes_stack_pointer(|| {
        black_box([0_u8; 64]);
    }));
    assert!(changes_stack_pointer(|| {
        let mut local = [0_u8; 64];
        black_box(&mut local);
        throw_error();
        black_box(&mut local);
    }));
}
