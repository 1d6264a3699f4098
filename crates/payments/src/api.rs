//! Requests to the merchant proxy. The key travels in the `Authorization` header, and in no address.

use tender_client::FetchResult;
use tender_element_legacy::fetch::Request;
use tender_payments_core::MerchantKey;
use tender_protocol::path;

/// A page of the list, counted from 1.
pub(crate) async fn list(proxy: &str, key: Option<&MerchantKey>, page: u32) -> FetchResult {
    Request::read(&format!("{proxy}{}?page={page}", path::LIST))
        .bearer(key.map(MerchantKey::expose))
        .answer()
        .await
}

/// What the proxy knows of these payments.
pub(crate) async fn ledger(proxy: &str, key: Option<&MerchantKey>, ids: &[String]) -> FetchResult {
    let mut address = format!("{proxy}{}", path::LEDGER);
    for (index, id) in ids.iter().enumerate() {
        address.push(if index == 0 { '?' } else { '&' });
        address.push_str("transactionId=");
        address.push_str(&String::from(js_sys::encode_uri_component(id)));
    }
    Request::read(&address)
        .bearer(key.map(MerchantKey::expose))
        .answer()
        .await
}
