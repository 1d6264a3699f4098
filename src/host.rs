//! The element in the shop's page: attributes in, `CustomEvent`s out.

use js_sys::Array;
use tender_checkout_core::{Config, ConfigError, HostEvent};
use tender_element::host::{object, record, resolve, status_change, tell};
use tender_protocol::TokenCode;
use wasm_bindgen::JsValue;
use web_sys::HtmlElement;

/// Reads the element's attributes.
pub(crate) fn config(host: &HtmlElement) -> Result<Config, ConfigError> {
    Config::read(
        |name| host.get_attribute(name),
        |address| resolve(host, address),
    )
}

/// Tells the page what the buyer may choose from.
pub(crate) fn tell_ready(host: &HtmlElement, codes: &[TokenCode]) {
    let codes: Array = codes
        .iter()
        .map(|code| JsValue::from_str(code.as_str()))
        .collect();
    tell(host, "tender-ready", &object([("tokens", codes.into())]));
}

/// Tells the page what became of a payment.
pub(crate) fn tell_of_payment(host: &HtmlElement, event: &HostEvent) {
    let (name, detail) = match event {
        HostEvent::Created(payment) => ("tender-created", object([("payment", record(payment))])),
        HostEvent::Status { payment, previous } => {
            ("tender-status", status_change(payment, previous))
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
        // The driver itself tells these.
        HostEvent::Ready(_) | HostEvent::Error(_) => return,
    };
    tell(host, name, &detail);
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
