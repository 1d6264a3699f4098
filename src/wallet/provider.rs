//! Calls to the objects of wallets in the page. Nothing about them is certain: every property may be missing, and every
//! call may throw.

use std::future::Future;

use js_sys::{Array, Function, JSON, Number, Promise, Reflect};
use serde::Serialize;
use tender_checkout_core::WalletFailure;
use tender_checkout_core::wallet::{ErrorLevel, Rows, meaning};
use tender_element::host::console_warn;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

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

/// A text, or a number in decimal digits.
pub(super) fn text_or_number(value: &JsValue) -> Option<String> {
    // The browser writes the number: Rust's code for floats would take 7 KB of the module.
    let digits = || {
        let digits = value.dyn_ref::<Number>()?.to_string_with_radix(10);
        digits.ok()?.as_string()
    };
    value.as_string().or_else(digits)
}

/// Calls a method at once; the future awaits its result. Errors are also logged, because the message for the buyer omits their
/// details.
pub(super) fn call<'a>(
    object: &JsValue,
    method: &'a str,
    arguments: &Array,
) -> impl Future<Output = Result<JsValue, JsValue>> + use<'a> {
    let function = get(object, method).dyn_into::<Function>();
    let called = function.and_then(|function| function.apply(object, arguments));
    async move {
        let result = match called {
            Ok(result) => JsFuture::from(Promise::resolve(&result)).await,
            Err(thrown) => Err(thrown),
        };
        result.inspect_err(|thrown| {
            // A page can replace the console.
            let _ = console_warn("<tender-checkout>: wallet", method, thrown);
        })
    }
}

/// A request to a wallet (EIP-1193, `request`), as a JavaScript object.
pub(super) struct Request(Result<JsValue, JsValue>);

#[derive(Serialize)]
struct RequestArguments<'a, P> {
    method: &'a str,
    /// Some wallets refuse an empty list, so there is none then.
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<P>,
}

impl Request {
    pub(super) fn new(method: &str) -> Self {
        let params = None::<()>;
        Self(to_js(&RequestArguments { method, params }))
    }

    /// `params` is a tuple.
    pub(super) fn with(method: &str, params: impl Serialize) -> Self {
        let params = Some(params);
        Self(to_js(&RequestArguments { method, params }))
    }

    /// Sends it at once.
    pub(super) fn send(
        self,
        provider: &JsValue,
    ) -> impl Future<Output = Result<JsValue, JsValue>> + use<> {
        let arguments = self.0;
        let called = arguments.map(|it| call(provider, "request", &Array::of1(&it)));
        async move { called?.await }
    }
}

/// A JavaScript object or array with the content of `value`.
fn to_js(value: &impl Serialize) -> Result<JsValue, JsValue> {
    let json = serde_json::to_string(value);
    JSON::parse(&json.map_err(|error| JsValue::from(error.to_string()))?)
}

/// The properties in which wallets keep the error that they wrap: `data.originalError` and `data.cause` of
/// `MetaMask`, and `info.error` of ethers.
const WRAPPED: [&str; 5] = ["data", "originalError", "cause", "info", "error"];

/// An error has a few levels; more would be a circle.
const MAX_LEVELS: usize = 16;

/// The meaning of an error by these rows; `otherwise` where it proves nothing.
pub(super) fn failure(rows: Rows, error: &JsValue, otherwise: WalletFailure) -> WalletFailure {
    let mut values = vec![error.clone()];
    let mut levels = Vec::new();
    while let Some(value) = values
        .get(levels.len())
        .filter(|_| levels.len() < MAX_LEVELS)
    {
        let message = value.as_string().or_else(|| text(value, "message"));
        levels.push(ErrorLevel {
            code: text_or_number(&get(value, "code")).unwrap_or_default(),
            message: message.unwrap_or_default().to_ascii_lowercase(),
        });
        let wrapped = WRAPPED.map(|name| get(value, name));
        values.extend(wrapped.into_iter().filter(JsValue::is_object));
    }
    meaning(rows, &levels, otherwise)
}
