//! Requests to the merchant proxy. The merchant key is sent in the `Authorization` header, never in
//! a URL.

use tender_element::http::ProxyRequest;
use tender_payments_core::MerchantKey;
use tender_protocol::path;

/// A page of the list, counted from 1.
pub(crate) fn list(proxy: &str, key: Option<&MerchantKey>, page: u32) -> ProxyRequest {
    ProxyRequest::get(&format!("{proxy}{}?page={page}", path::LIST))
        .bearer(key.map(MerchantKey::expose))
}

/// What the proxy's ledger says about these payments.
pub(crate) fn ledger(proxy: &str, key: Option<&MerchantKey>, ids: &[String]) -> ProxyRequest {
    let mut url = format!("{proxy}{}", path::LEDGER);
    for (index, id) in ids.iter().enumerate() {
        url.push(if index == 0 { '?' } else { '&' });
        url.push_str("transactionId=");
        url.push_str(&String::from(js_sys::encode_uri_component(id)));
    }
    ProxyRequest::get(&url).bearer(key.map(MerchantKey::expose))
}

/// The URL of the event stream of all payments.
pub(crate) fn events_url(proxy: &str) -> String {
    format!("{proxy}{}", path::EVENTS)
}
