//! Requests to the merchant proxy, at the paths of the service's document.

use js_sys::Promise;
use tender_checkout_core::{Attempt, FetchResult};
use tender_element::fetch::Request;
use tender_protocol::path;

use crate::Loader;

/// The token listing.
pub(crate) fn tokens(loader: &Loader, proxy: &str) -> Promise {
    loader.ask(&format!("{proxy}{}", path::TOKENS))
}

/// Creates the payment of an attempt. The request is sent now: it need not wait until the answer is waited for.
pub(crate) fn create(proxy: &str, attempt: &Attempt) -> impl Future<Output = FetchResult> + use<> {
    let url = format!("{proxy}{}", path::PAYMENT);
    Request::post(&url, &attempt.request.to_json())
        .header("Idempotency-Key", &format!("\"{}\"", attempt.key.0))
        .answer()
}

/// The latest record of a payment.
pub(crate) async fn payment(proxy: &str, id: &str, receipt: &str) -> FetchResult {
    Request::read(&payment_url(proxy, id))
        .bearer(Some(receipt))
        .answer()
        .await
}

/// Where the proxy streams the status of a payment. `EventSource` can't send headers, so that the
/// receipt goes into the address.
pub(crate) fn events(proxy: &str, id: &str, receipt: &str) -> String {
    let receipt = js_sys::encode_uri_component(receipt);
    format!("{}/events?receipt={receipt}", payment_url(proxy, id))
}

fn payment_url(proxy: &str, id: &str) -> String {
    let id = js_sys::encode_uri_component(id);
    format!("{proxy}{}/{id}", path::PAYMENT)
}
