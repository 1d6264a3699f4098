//! Requests to the merchant proxy, at the paths of the service's document.

use gloo_net::http::{Request, RequestBuilder};
use tender_core::{Answered, Attempt};
use tender_element::fetch::{bearer, patient, send};
use tender_protocol::{CancelPayment, Record, path};

/// The token listing.
pub(crate) async fn tokens(proxy: &str) -> Answered {
    send(patient(Request::get(&format!("{proxy}{}", path::TOKENS))).build()).await
}

/// Creates the payment of an attempt.
pub(crate) async fn create(proxy: &str, attempt: &Attempt) -> Answered {
    let request = posted(&format!("{proxy}{}", path::PAYMENT))
        .header("Idempotency-Key", &format!("\"{}\"", attempt.key.0));
    send(request.body(attempt.request.to_json())).await
}

/// Cancels a payment.
pub(crate) async fn cancel(proxy: &str, id: &str, receipt: Option<&str>) -> Answered {
    let request = posted(&format!("{proxy}{}", path::CANCEL));
    let payment = Record::from(&CancelPayment {
        transaction_id: id.to_owned(),
    });
    send(bearer(request, receipt).body(payment.to_json())).await
}

/// The latest record of a payment.
pub(crate) async fn payment(proxy: &str, id: &str, receipt: &str) -> Answered {
    let request = patient(Request::get(&payment_url(proxy, id)));
    send(bearer(request, Some(receipt)).build()).await
}

/// Where the proxy streams the status of a payment. `EventSource` can't send headers, so that the
/// receipt goes into the address.
pub(crate) fn events(proxy: &str, id: &str, receipt: &str) -> String {
    let receipt = js_sys::encode_uri_component(receipt);
    format!("{}/events?receipt={receipt}", payment_url(proxy, id))
}

fn posted(url: &str) -> RequestBuilder {
    patient(Request::post(url)).header("Content-Type", "application/json")
}

fn payment_url(proxy: &str, id: &str) -> String {
    let id = js_sys::encode_uri_component(id);
    format!("{proxy}{}/{id}", path::PAYMENT)
}
