//! The element in the shop's page: attributes in, `CustomEvent`s out.

use js_sys::Array;
use tender_checkout_core::{Config, ConfigError, HostEvent};
use tender_element::host::{
    self, emit_request_error, object, page_language, payment_detail, resolve_url, status_detail,
};
use tender_element::number;
use tender_protocol::Payment;
use wasm_bindgen::JsValue;
use web_sys::{HtmlElement, Url};

/// Reads the element's attributes.
pub(crate) fn config(host: &HtmlElement) -> Result<Config, ConfigError> {
    let mut config = Config::read(
        |name| host.get_attribute(name),
        |address| resolve_url(host, address),
    )?;
    if config.order.payer_chooses() {
        let language = config.locale.clone();
        let language = language.unwrap_or_else(|| page_language(host));
        config.decimal_separator = number::decimal_separator(&language);
    }
    Ok(config)
}

/// The link to the payment page of this signed order, from the fallback inside the element. There is none where the proxy has
/// no such page.
pub(crate) fn pay_page(host: &HtmlElement, order: &str) -> Option<String> {
    let link = host.query_selector("a[href*='/pay?']").ok()??;
    let address = resolve_url(host, &link.get_attribute("href")?)?;
    let query = Url::new(&address).ok()?.search_params();
    (query.get("order").as_deref() == Some(order)).then_some(address)
}

/// Dispatches the `CustomEvent` for `event`.
pub(crate) fn emit(host: &HtmlElement, event: &HostEvent) {
    let (name, detail) = match event {
        HostEvent::Ready(codes) => {
            let codes = codes.iter().map(|code| JsValue::from_str(code.as_str()));
            let codes: Array = codes.collect();
            ("tender-ready", object([("tokens", codes.into())]))
        }
        HostEvent::Created(payment) => ("tender-created", of_payment(payment)),
        HostEvent::Status { payment, previous } => {
            ("tender-status", status_detail(payment, previous))
        }
        HostEvent::Transaction { hash, url } => (
            "tender-transaction",
            object([
                ("hash", hash.into()),
                ("url", url.as_deref().map_or(JsValue::NULL, Into::into)),
            ]),
        ),
        HostEvent::Cancelled(payment) => ("tender-cancelled", of_payment(payment)),
        HostEvent::Pending(payment) => ("tender-pending", of_payment(payment)),
        HostEvent::Underpaid(payment) => ("tender-underpaid", of_payment(payment)),
        HostEvent::Paid(payment) => ("tender-paid", of_payment(payment)),
        HostEvent::Closed(payment) => ("tender-closed", of_payment(payment)),
        HostEvent::Error(failure) => return emit_request_error(host, failure),
    };
    host::emit(host, name, &detail);
}

fn of_payment(payment: &Payment) -> JsValue {
    object([("payment", payment_detail(payment))])
}

/// 128 random bits as hexadecimal digits.
pub(crate) fn random_key() -> Result<String, String> {
    let mut bytes = [0; 16];
    web_sys::window()
        .and_then(|window| window.crypto().ok())
        .and_then(|crypto| crypto.get_random_values_with_u8_array(&mut bytes).ok())
        .ok_or("this browser has no random numbers (window.crypto)")?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}
