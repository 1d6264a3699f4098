//! The element in the shop's page: attributes in, `CustomEvent`s out.

use js_sys::{Array, Object, Reflect};
use tender_core::{Config, ConfigError, HostEvent};
use tender_protocol::Payment;
use wasm_bindgen::JsValue;
use web_sys::{CustomEvent, CustomEventInit, HtmlElement, Url, console};

/// Reads the element's attributes.
pub(crate) fn config(host: &HtmlElement) -> Result<Config, ConfigError> {
    let base = host.base_uri().ok().flatten().unwrap_or_default();
    Config::read(
        |name| host.get_attribute(name),
        |address| {
            Url::new_with_base(address, &base)
                .ok()
                .map(|url| url.href())
        },
    )
}

/// The language of the page around the element, else the browser's.
pub(crate) fn language(host: &HtmlElement) -> String {
    let around = host.closest("[lang]").ok().flatten();
    around
        .and_then(|element| element.get_attribute("lang"))
        .filter(|tag| !tag.is_empty())
        .or_else(|| web_sys::window()?.navigator().language())
        .unwrap_or_else(|| "en".to_owned())
}

/// Dispatches an event on the element; it bubbles, and crosses the shop's own shadow roots.
pub(crate) fn tell(host: &HtmlElement, event: &HostEvent) {
    let (name, detail) = detail(event);
    let init = CustomEventInit::new();
    init.set_bubbles(true);
    init.set_composed(true);
    init.set_detail(&detail);
    // Neither can fail for a name that is a text and an event that is not being dispatched.
    if let Ok(event) = CustomEvent::new_with_event_init_dict(name, &init) {
        let _ = host.dispatch_event(&event);
    }
}

/// Tells the shop's developer what keeps the checkout from working.
pub(crate) fn complain(host: &HtmlElement, message: &str) {
    console::error_3(&"<tender-checkout>:".into(), &message.into(), host);
}

/// Tells the shop's developer what works, but maybe not as meant.
pub(crate) fn warn(host: &HtmlElement, warnings: &[String]) {
    for warning in warnings {
        console::warn_3(&"<tender-checkout>:".into(), &warning.into(), host);
    }
}

/// 128 random bits in hexadecimal digits.
pub(crate) fn random_key() -> Result<String, String> {
    let mut bytes = [0; 16];
    web_sys::window()
        .and_then(|window| window.crypto().ok())
        .and_then(|crypto| crypto.get_random_values_with_u8_array(&mut bytes).ok())
        .ok_or("this browser offers no random numbers (window.crypto)")?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}

fn detail(event: &HostEvent) -> (&'static str, JsValue) {
    match event {
        HostEvent::Ready(codes) => {
            let codes: Array = codes
                .iter()
                .map(|code| JsValue::from_str(code.as_str()))
                .collect();
            ("tender-ready", object([("tokens", codes.into())]))
        }
        HostEvent::Created(payment) => ("tender-created", object([("payment", record(payment))])),
        HostEvent::Status { payment, previous } => {
            let previous = object([
                ("statusId", JsValue::from_str(previous.id())),
                ("statusText", JsValue::from_str(previous.text())),
            ]);
            (
                "tender-status",
                object([("payment", record(payment)), ("previous", previous)]),
            )
        }
        HostEvent::Transaction { hash, url } => (
            "tender-transaction",
            object([
                ("hash", hash.into()),
                ("url", url.as_deref().map_or(JsValue::NULL, Into::into)),
            ]),
        ),
        HostEvent::Cancelled(payment) => {
            ("tender-cancelled", object([("payment", record(payment))]))
        }
        HostEvent::Error(failure) => (
            "tender-error",
            object([
                ("code", failure.code.as_str().into()),
                ("message", JsValue::from_str(&failure.message)),
                ("retryable", failure.code.is_retryable().into()),
            ]),
        ),
    }
}

/// A payment in the service's field names, its amounts as decimal strings.
fn record(payment: &Payment) -> JsValue {
    let optional = |text: &Option<String>| text.as_deref().map_or(JsValue::NULL, Into::into);
    object([
        ("transactionId", JsValue::from_str(&payment.transaction_id)),
        ("token", JsValue::from_str(&payment.token)),
        ("paymentToken", JsValue::from_str(&payment.payment_token)),
        ("quantity", payment.quantity.to_string().into()),
        ("quantityPay", payment.quantity_pay.to_string().into()),
        (
            "priceUsd",
            optional(&payment.price_usd.as_ref().map(ToString::to_string)),
        ),
        ("purchaseEmail", optional(&payment.purchase_email)),
        ("purchaseName", optional(&payment.purchase_name)),
        ("invoiceNumber", optional(&payment.invoice_number)),
        ("itemNumber", optional(&payment.item_number)),
        ("statusId", payment.status.id().into()),
        ("statusText", payment.status.text().into()),
        ("wallet", JsValue::from_str(&payment.wallet)),
        ("createdAt", optional(&payment.created_at)),
    ])
}

fn object<const N: usize>(fields: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a field of a fresh object can't fail.
        let _ = Reflect::set(&object, &JsValue::from_str(name), &value);
    }
    object.into()
}
