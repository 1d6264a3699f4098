//! How the later part of the module is asked for: src/later.js, with stand-ins for the module and for what a page may change.

use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::loader::module;

const LATER: &str = include_str!("../../src/later.js");
const GUARD: &str = include_str!("../../crates/element/guard.js");
const START: &str = include_str!("../../crates/element/start.js");

/// The glue, as far as it goes: a module whose functions write down what they are called with.
const GLUE: &str = "
    export const heard = [];
    const table = { get: (callback) => (...given) => { heard.push([callback, ...given].join(' ')); } };
    export const exports = () => ({ __indirect_function_table: table });
";

/// Gives a part that is a module and nothing more.
const SERVED: &str = "const fetch = async () =>
    new Response(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0), { headers: { 'content-type': 'application/wasm' } });";

/// Runs this after src/later.js with `page` at its head, and gives what the module has heard.
async fn heard(page: &str, script: &str) -> Vec<String> {
    let (guard, glue) = (module(GUARD), module(GLUE));
    let later = LATER
        .replace("./guard.js", &guard)
        .replace("./tender-checkout.js", &glue)
        .replace("./start.js", &module(START))
        .replace("__TENDER_LATER__", "https://proxy.invalid/v1/later.wasm");
    let later = module(&format!("{later}\n{page}"));
    let script = module(&format!(
        "import {{ __wasm_split_load_later as load }} from '{later}';
         import {{ heard }} from '{glue}';
         import {{ guarded }} from '{guard}';
         {script}
         export {{ heard }};"
    ));
    let import = Function::new_with_args("address", "return import(address)");
    let loaded = import.call1(&JsValue::NULL, &script.into()).unwrap();
    let loaded = JsFuture::from(Promise::from(loaded)).await.unwrap();
    let heard: Array = Reflect::get(&loaded, &"heard".into()).unwrap().into();
    heard.iter().map(|call| call.as_string().unwrap()).collect()
}

#[wasm_bindgen_test]
async fn the_part_is_asked_for_once() {
    let served = SERVED.replace("=>\n", "=> (globalThis.asked += 1) &&\n");
    let script = "globalThis.asked = 0;
        await Promise.all([load(7, 1), load(8, 2)]);
        await load(9, 3);
        heard.push(String(asked));";
    assert_eq!(
        heard(&served, script).await,
        ["7 1 true", "8 2 true", "9 3 true", "1"]
    );
}

#[wasm_bindgen_test]
async fn whatever_a_page_does_the_module_hears_once_that_the_part_is_not_here() {
    for page in [
        "const fetch = () => { throw new Error('of the page'); };",
        "const fetch = () => Promise.reject(new Error('lost'));",
        "const fetch = async () => new Response('', { status: 404 });",
        "const fetch = async () => new Response('no module');",
        "const URL = function () { throw new Error('of the page'); };",
        "const fetch = () => Promise.reject(new Error('lost'));
         const console = { error() { throw new Error('of the page'); } };",
        // An answer that never comes.
        "const AbortSignal = { timeout: () => globalThis.AbortSignal.timeout(1) };
         const fetch = (_, { signal }) => new Promise((_, reject) => {
           signal.addEventListener('abort', () => reject(signal.reason));
         });",
    ] {
        let calls = heard(page, "await load(7, 42).catch(() => {});").await;
        assert_eq!(calls, ["7 42 false"], "{page}");
    }
}

#[wasm_bindgen_test]
async fn what_did_not_come_is_asked_for_anew() {
    let page = SERVED.replace("const fetch", "const serve");
    let page = format!(
        "{page}\nlet tries = 0;
         const fetch = async () => {{ if (tries++ === 0) throw new Error('once'); return serve(); }};"
    );
    let calls = heard(&page, "await load(7, 1); await load(7, 1);").await;
    assert_eq!(calls, ["7 1 false", "7 1 true"]);
}

#[wasm_bindgen_test]
async fn a_module_that_is_broken_is_not_called_back() {
    let script = "const broken = guarded({ trap() { throw new Error('a trap'); } });
        try { broken.trap(); } catch {}
        await load(7, 1);";
    assert!(heard(SERVED, script).await.is_empty());
}
