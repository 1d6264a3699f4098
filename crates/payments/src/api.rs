//! Requests to the merchant proxy. The merchant key is sent in the `Authorization` header, never in
//! a URL.

use std::collections::BTreeMap;

use tender_element::http::{ProxyRequest, cancel_payment};
use tender_payments_core::{MerchantKey, OrderAction, Request};
use tender_protocol::{Resend, path};

/// The body of a request that says nothing more.
const NO_FIELDS: BTreeMap<&str, &str> = BTreeMap::new();

/// The request to the proxy.
pub(crate) fn request(proxy: &str, key: Option<&MerchantKey>, request: &Request) -> ProxyRequest {
    let url = |path: &str| format!("{proxy}{path}");
    let key = key.map(MerchantKey::expose);
    let request = match request {
        Request::List { after, .. } => {
            let mut url = url(path::LIST);
            if let Some(id) = after {
                url.push_str("?after=");
                url.push_str(&encoded(id));
            }
            ProxyRequest::get(&url)
        }
        Request::Cancel(id) => return cancel_payment(proxy, id, key),
        Request::Ledger(ids) => ProxyRequest::get(&with_payments(url(path::LEDGER), ids)),
        Request::Deliveries(id) => {
            ProxyRequest::get(&with_payments(url(path::DELIVERIES), id.as_slice()))
        }
        Request::Resend(id) => {
            let which = Resend {
                ids: vec![id.clone()],
                given_up: false,
            };
            ProxyRequest::post(&url(path::RESEND), &which)
        }
        Request::ChangeOrder(id, action) => {
            let id = encoded(id);
            let url = |route: &str| format!("{proxy}{}/{id}{route}", path::PAYMENT);
            match action {
                OrderAction::RemoveMarks => ProxyRequest::delete(&url(path::SENT), &NO_FIELDS),
                OrderAction::Release => ProxyRequest::post(&url(path::RELEASE), &NO_FIELDS),
            }
        }
        Request::SignOrder(order) => ProxyRequest::post(&url(path::ORDERS), order),
    };
    request.bearer(key)
}

/// The URL with each of these payments as a parameter.
fn with_payments(mut url: String, ids: &[String]) -> String {
    for (index, id) in ids.iter().enumerate() {
        url.push(if index == 0 { '?' } else { '&' });
        url.push_str("transactionId=");
        url.push_str(&encoded(id));
    }
    url
}

/// A text as a part of a URL.
fn encoded(text: &str) -> String {
    String::from(js_sys::encode_uri_component(text))
}
