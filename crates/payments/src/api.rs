//! Requests to the merchant proxy. The merchant key is sent in the `Authorization` header, never in
//! a URL.

use tender_element::http::ProxyRequest;
use tender_payments_core::{MerchantKey, OrderAction};
use tender_protocol::sent::SentMark;
use tender_protocol::{NewOrder, Resend, path};

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
        url.push_str(&encoded(id));
    }
    ProxyRequest::get(&url).bearer(key.map(MerchantKey::expose))
}

/// The newest notifications to the shop's backend, of this payment or of all.
pub(crate) fn deliveries(
    proxy: &str,
    key: Option<&MerchantKey>,
    transaction_id: Option<&str>,
) -> ProxyRequest {
    let mut url = format!("{proxy}{}", path::DELIVERIES);
    if let Some(id) = transaction_id {
        url.push_str("?transactionId=");
        url.push_str(&encoded(id));
    }
    ProxyRequest::get(&url).bearer(key.map(MerchantKey::expose))
}

/// Sends a notification again.
pub(crate) fn resend(proxy: &str, key: Option<&MerchantKey>, id: String) -> ProxyRequest {
    let which = Resend {
        ids: vec![id],
        given_up: false,
    };
    ProxyRequest::post(&format!("{proxy}{}", path::RESEND), &which)
        .bearer(key.map(MerchantKey::expose))
}

/// Does this about the order of a payment.
pub(crate) fn change_order(
    proxy: &str,
    key: Option<&MerchantKey>,
    transaction_id: &str,
    action: OrderAction,
) -> ProxyRequest {
    let url = |route: &str| {
        format!(
            "{proxy}{}/{}{route}",
            path::PAYMENT,
            encoded(transaction_id)
        )
    };
    // Without the secret of one mark, all of them are removed.
    let body = SentMark::default();
    let request = match action {
        OrderAction::RemoveMarks => ProxyRequest::delete(&url(path::SENT), &body),
        OrderAction::Release => ProxyRequest::post(&url(path::RELEASE), &body),
    };
    request.bearer(key.map(MerchantKey::expose))
}

/// Signs an order.
pub(crate) fn sign(proxy: &str, key: Option<&MerchantKey>, order: &NewOrder) -> ProxyRequest {
    ProxyRequest::post(&format!("{proxy}{}", path::ORDERS), order)
        .bearer(key.map(MerchantKey::expose))
}

/// A text as a part of a URL.
fn encoded(text: &str) -> String {
    String::from(js_sys::encode_uri_component(text))
}

/// The URL of the event stream of all payments.
pub(crate) fn events_url(proxy: &str) -> String {
    format!("{proxy}{}", path::EVENTS)
}
