//! Calls to the objects of wallets in the page. Nothing about them is certain: every property may be missing, and every
//! call may throw.

use js_sys::{Array, Function, JSON, Promise, Reflect};
use serde::Serialize;
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

/// Calls a method, and awaits its result. Errors are also logged, because the message for the buyer omits their details.
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

/// A request to a wallet (EIP-1193, `request`).
#[derive(Serialize)]
pub(super) struct Request<'a, P> {
    method: &'a str,
    /// `None` sends no parameters at all, as some wallets refuse an empty list.
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<[P; 1]>,
}

impl<'a> Request<'a, ()> {
    pub(super) fn new(method: &'a str) -> Self {
        Self {
            method,
            params: None,
        }
    }
}

impl<'a, P: Serialize> Request<'a, P> {
    pub(super) fn with_param(method: &'a str, param: P) -> Self {
        Self {
            method,
            params: Some([param]),
        }
    }

    pub(super) async fn send(self, provider: &JsValue) -> Result<JsValue, JsValue> {
        call(provider, "request", &Array::of1(&to_js(&self)?)).await
    }
}

/// A JavaScript object or array with the content of `value`.
pub(super) fn to_js(value: &impl Serialize) -> Result<JsValue, JsValue> {
    let json = serde_json::to_string(value);
    JSON::parse(&json.map_err(|error| JsValue::from(error.to_string()))?)
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
