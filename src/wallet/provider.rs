//! Calls to objects that a wallet put into the page. They can be anything: every property may be missing, and every call
//! may throw.

use js_sys::{Array, Function, JSON, Promise, Reflect};
use tender_checkout_core::WalletFailure;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    // A page can replace the console.
    #[wasm_bindgen(catch, js_namespace = console, js_name = warn)]
    fn console_warn(tag: &str, method: &str, error: &JsValue) -> Result<(), JsValue>;
}

/// A property; `UNDEFINED` where it is missing.
pub(super) fn get(object: &JsValue, name: &str) -> JsValue {
    // `Reflect.get` throws for anything else, and an exception is slow.
    if !object.is_object() && !object.is_function() {
        return JsValue::UNDEFINED;
    }
    Reflect::get(object, &name.into()).unwrap_or_default()
}

pub(super) fn text(object: &JsValue, name: &str) -> Option<String> {
    get(object, name).as_string()
}

/// Calls a method, and awaits its result. Errors are also logged, as they may tell the shop's developer more than the buyer
/// has to read.
pub(super) async fn call(
    object: &JsValue,
    method: &str,
    arguments: &Array,
) -> Result<JsValue, JsValue> {
    let result = match get(object, method).dyn_into::<Function>() {
        Ok(method) => match method.apply(object, arguments) {
            Ok(result) => JsFuture::from(Promise::resolve(&result)).await,
            Err(thrown) => Err(thrown),
        },
        Err(missing) => Err(missing),
    };
    result.inspect_err(|thrown| {
        let _ = console_warn("<tender-checkout>: wallet", method, thrown);
    })
}

/// Sends a request (EIP-1193, `request`) with parameters in JSON. `None` sends no parameters at all, as some wallets refuse
/// an empty list.
pub(super) async fn request(
    provider: &JsValue,
    method: &str,
    params: Option<&str>,
) -> Result<JsValue, JsValue> {
    let params = params.map_or_else(String::new, |params| format!(r#","params":{params}"#));
    let request = JSON::parse(&format!(r#"{{"method":"{method}"{params}}}"#))?;
    call(provider, "request", &Array::of1(&request)).await
}

/// The meaning of an error (EIP-1193, "Provider Errors"); `otherwise` where its code is unknown.
pub(super) fn failure(error: &JsValue, otherwise: WalletFailure) -> WalletFailure {
    match get(error, "code").as_f64() {
        Some(4001.0) => WalletFailure::Declined,
        // "Resource unavailable" (EIP-1474): another request is open.
        Some(-32002.0) => WalletFailure::Busy,
        _ => otherwise,
    }
}
