//! What stands between a module and its callers: crates/element/guard.js, before a module that traps.

use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::loader::module;

const GUARD: &str = include_str!("../../crates/element/guard.js");

/// Runs this with the guard's `guarded` and `onCrash`, and with `instance`: the exports of a module of
/// `trap`, which does nothing else, `fine`, which gives 7, and `memory`.
async fn with_guard(script: &str) -> Array {
    // (module (memory (export "memory") 1)
    //   (func (export "trap") unreachable) (func (export "fine") (result i32) i32.const 7))
    let module_and_script = format!(
        "{GUARD}
         const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 8, 2, 96, 0, 0, 96, 0, 1, 127, 3, 3, 2, 0, 1, 5, 3, 1,
           0, 1, 7, 24, 3, 6, 109, 101, 109, 111, 114, 121, 2, 0, 4, 116, 114, 97, 112, 0, 0, 4, 102, 105, 110, 101, 0, 1,
           10, 10, 2, 3, 0, 0, 11, 4, 0, 65, 7, 11);
         const instance = (await WebAssembly.instantiate(bytes)).instance.exports;
         const attempt = (call) => {{ try {{ return call(); }} catch (error) {{ return error.name; }} }};
         export const found = [];
         {script}"
    );
    let import = Function::new_with_args("address", "return import(address)");
    let address = module(&module_and_script).into();
    let loaded: Promise = import.call1(&JsValue::NULL, &address).unwrap().into();
    let loaded = JsFuture::from(loaded).await.unwrap();
    js_sys::Reflect::get(&loaded, &"found".into())
        .unwrap()
        .into()
}

fn words(found: &Array) -> Vec<String> {
    found.iter().map(|word| word.as_string().unwrap()).collect()
}

#[wasm_bindgen_test]
async fn a_trap_is_told_once_and_thrown() {
    let found = with_guard(
        "const exports = guarded(instance);
         onCrash((message) => found.push(message));
         found.push(attempt(exports.trap));
         found.push(String(attempt(exports.trap)));",
    )
    .await;
    let found = words(&found);
    assert_eq!(found.len(), 3);
    assert!(
        found[0].starts_with("the module crashed: RuntimeError: "),
        "{found:?}"
    );
    // What is broken is not entered again.
    assert_eq!(found[1..], ["RuntimeError", "undefined"]);
}

#[wasm_bindgen_test]
async fn an_exception_that_goes_through_the_module_is_told_too() {
    let found = with_guard(
        "const exports = guarded({ call() { throw new TypeError('of the page'); }, fine: instance.fine });
         onCrash((message) => found.push(message));
         found.push(attempt(exports.call));
         found.push(String(exports.fine()));",
    )
    .await;
    assert_eq!(
        words(&found),
        [
            "the module crashed: TypeError: of the page",
            "TypeError",
            "undefined"
        ]
    );
}

#[wasm_bindgen_test]
async fn what_works_is_passed_on_and_what_is_no_function_too() {
    let found = with_guard(
        "const exports = guarded(instance);
         onCrash((message) => found.push(message));
         found.push(String(exports.fine()), String(exports.memory === instance.memory), String(exports.none));
         found.push(String(exports.fine === exports.fine));",
    )
    .await;
    assert_eq!(words(&found), ["7", "true", "undefined", "true"]);
}
