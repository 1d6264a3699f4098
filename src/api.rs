//! Requests to the merchant proxy. Their paths are those of the payment service.

use tender_checkout_core::Attempt;
use tender_element::http::ProxyRequest;
use tender_protocol::path;

/// The token listing.
pub(crate) fn tokens(proxy: &str) -> ProxyRequest {
    ProxyRequest::get(&format!("{proxy}{}", path::TOKENS))
}

/// Creates the payment of an attempt. The proxy creates one payment per key, however often the request is sent.
pub(crate) fn create(proxy: &str, attempt: &Attempt) -> ProxyRequest {
    ProxyRequest::post(&format!("{proxy}{}", path::PAYMENT), &attempt.request)
        .header("Idempotency-Key", format!("\"{}\"", attempt.key.0))
}

/// The latest record of a payment.
pub(crate) fn payment(proxy: &str, id: &str, receipt: &str) -> ProxyRequest {
    ProxyRequest::get(&payment_url(proxy, id)).bearer(Some(receipt))
}

/// The URL of a payment's event stream.
pub(crate) fn events_url(proxy: &str, id: &str) -> String {
    format!("{}/events", payment_url(proxy, id))
}

fn payment_url(proxy: &str, id: &str) -> String {
    let id = js_sys::encode_uri_component(id);
    format!("{proxy}{}/{id}", path::PAYMENT)
}
