//! Calls to objects that a wallet put into the page. They are anybody's: nothing is taken for
//! given, and nothing that they do is more than an error here.

use js_sys::{Array, Function, JSON, Promise, Reflect};
use tender_checkout_core::WalletFailure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// `UNDEFINED` where there is no such thing.
pub(super) fn get(object: &JsValue, name: &str) -> JsValue {
    // To ask what is no object throws, and an exception, with its stack, takes longer than all the asking.
    if !object.is_object() && !object.is_function() {
        return JsValue::UNDEFINED;
    }
    Reflect::get(object, &name.into()).unwrap_or_default()
}

pub(super) fn text(object: &JsValue, name: &str) -> Option<String> {
    get(object, name).as_string()
}

/// Calls a method, and waits for its promise, where it gives one. What was thrown is for the
/// console: it may say more to the shop's developer than the buyer has to read.
pub(super) async fn call(
    object: &JsValue,
    method: &str,
    arguments: &Array,
) -> Result<JsValue, JsValue> {
    let outcome = match get(object, method).dyn_into::<Function>() {
        Ok(method) => match method.apply(object, arguments) {
            Ok(given) => JsFuture::from(Promise::resolve(&given)).await,
            Err(thrown) => Err(thrown),
        },
        Err(missing) => Err(missing),
    };
    outcome.inspect_err(|thrown| {
        web_sys::console::warn_3(&"<tender-checkout>: wallet".into(), &method.into(), thrown);
    })
}

/// Makes a request (EIP-1193, `request`); the parameters are JSON. Where there are none, none are
/// given: some wallets refuse an empty list.
pub(super) async fn request(
    provider: &JsValue,
    method: &str,
    params: Option<&str>,
) -> Result<JsValue, JsValue> {
    let params = params.map_or_else(String::new, |params| format!(r#","params":{params}"#));
    let request = JSON::parse(&format!(r#"{{"method":"{method}"{params}}}"#))?;
    call(provider, "request", &Array::of1(&request)).await
}

/// What an error means (EIP-1193, "Provider Errors"); `otherwise` where it does not say.
pub(super) fn failure(error: &JsValue, otherwise: WalletFailure) -> WalletFailure {
    match get(error, "code").as_f64() {
        Some(4001.0) => WalletFailure::Declined,
        // "Resource unavailable" (EIP-1474): wallets say so of a request while another is open.
        Some(-32002.0) => WalletFailure::Busy,
        _ => otherwise,
    }
}
