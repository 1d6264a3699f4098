//! The element in its page: its language, its events, its console.

use js_sys::{Object, Reflect};
use tender_client::Failure;
use tender_protocol::{Payment, Status};
use wasm_bindgen::JsValue;
use web_sys::{CustomEvent, CustomEventInit, HtmlElement, Url, console};

/// The language of the page around the element, else the browser's.
#[must_use]
pub fn language(host: &HtmlElement) -> String {
    let around = host.closest("[lang]").ok().flatten();
    around
        .and_then(|element| element.get_attribute("lang"))
        .filter(|tag| !tag.is_empty())
        .or_else(|| web_sys::window()?.navigator().language())
        .unwrap_or_else(|| "en".to_owned())
}

/// Dispatches an event on the element; it bubbles, and crosses the page's own shadow roots.
pub fn tell(host: &HtmlElement, name: &str, detail: &JsValue) {
    let init = CustomEventInit::new();
    init.set_bubbles(true);
    init.set_composed(true);
    init.set_detail(detail);
    // Neither can fail for a name that is a text and an event that is not being dispatched.
    if let Ok(event) = CustomEvent::new_with_event_init_dict(name, &init) {
        let _ = host.dispatch_event(&event);
    }
}

/// Tells the page of a failure, as `tender-error`.
pub fn tell_failure(host: &HtmlElement, failure: &Failure) {
    tell(
        host,
        "tender-error",
        &object([
            ("code", failure.code.as_str().into()),
            ("message", JsValue::from_str(&failure.message)),
            ("retryable", failure.code.is_retryable().into()),
        ]),
    );
}

/// An attribute as an address, whole: what is relative is so to the page.
#[must_use]
pub fn resolve(host: &HtmlElement, address: &str) -> Option<String> {
    let base = host.base_uri().ok().flatten().unwrap_or_default();
    Url::new_with_base(address, &base)
        .ok()
        .map(|url| url.href())
}

/// Tells the page's developer what keeps the element from working.
pub fn complain(host: &HtmlElement, message: &str) {
    console::error_3(&tag(host), &message.into(), host);
}

/// Tells the page's developer what works, but maybe not as meant.
pub fn warn(host: &HtmlElement, warnings: &[String]) {
    for warning in warnings {
        console::warn_3(&tag(host), &warning.into(), host);
    }
}

fn tag(host: &HtmlElement) -> JsValue {
    format!("<{}>:", host.local_name()).into()
}

/// What `tender-status` tells: the payment, and the status that it had before.
#[must_use]
pub fn status_change(payment: &Payment, previous: &Status) -> JsValue {
    let previous = object([
        ("statusId", JsValue::from_str(previous.id())),
        ("statusText", JsValue::from_str(previous.text())),
    ]);
    object([("payment", record(payment)), ("previous", previous)])
}

/// A payment in the service's field names, its amounts as decimal strings.
#[must_use]
pub fn record(payment: &Payment) -> JsValue {
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

/// An object with these fields.
#[must_use]
pub fn object<const N: usize>(fields: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a field of a fresh object can't fail.
        let _ = Reflect::set(&object, &JsValue::from_str(name), &value);
    }
    object.into()
}
