//! Requests to the merchant proxy. The key travels in the `Authorization` header, and in no address.

use gloo_net::http::Request;
use tender_client::Answered;
use tender_element::fetch::{bearer, patient, send};
use tender_merchant::Key;
use tender_protocol::path;

/// A page of the list, counted from 1.
pub(crate) async fn list(proxy: &str, key: Option<&Key>, page: u32) -> Answered {
    let request = Request::get(&format!("{proxy}{}?page={page}", path::LIST));
    send(bearer(patient(request), key.map(Key::expose)).build()).await
}

/// What the proxy knows of these payments.
pub(crate) async fn ledger(proxy: &str, key: Option<&Key>, ids: &[String]) -> Answered {
    let mut address = format!("{proxy}{}", path::LEDGER);
    for (index, id) in ids.iter().enumerate() {
        address.push(if index == 0 { '?' } else { '&' });
        address.push_str("transactionId=");
        address.push_str(&String::from(js_sys::encode_uri_component(id)));
    }
    send(bearer(patient(Request::get(&address)), key.map(Key::expose)).build()).await
}
