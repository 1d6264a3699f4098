//! Requests to the merchant proxy. Their paths are those of the payment service.

use tender_checkout_core::order::Request;
use tender_checkout_core::{Attempt, MarkSecret, Order, PaymentReceipt};
use tender_element::http::ProxyRequest;
use tender_protocol::{path, sent};

/// The token listing.
pub(crate) fn tokens(proxy: &str) -> ProxyRequest {
    ProxyRequest::get(&format!("{proxy}{}", path::TOKENS))
}

/// The payment of the order, if it is signed. The order is a credential here, so that its address can be logged.
pub(crate) fn find(proxy: &str, order: &Order) -> ProxyRequest {
    let jwt = match order {
        Order::Signed { jwt, .. } => Some(jwt.as_str()),
        Order::Plain(_) => None,
    };
    ProxyRequest::get(&format!("{proxy}{}", path::PAYMENT)).bearer(jwt)
}

/// Creates the payment of an attempt, in place of `replaced`. The proxy creates one payment per key, however often the request
/// is sent.
pub(crate) fn create(
    proxy: &str,
    attempt: &Attempt,
    replaced: Option<&PaymentReceipt>,
) -> ProxyRequest {
    let mut request = attempt.request.clone();
    if let (Request::Signed(request), Some(replaced)) = (&mut request, replaced) {
        request.replaces = Some(replaced.transaction_id.clone());
    }
    ProxyRequest::post(&format!("{proxy}{}", path::PAYMENT), &request)
        .header("Idempotency-Key", format!("\"{}\"", attempt.key.0))
        .bearer(replaced.map(|replaced| &*replaced.receipt))
}

/// The latest record of a payment.
pub(crate) fn payment(proxy: &str, payment: &PaymentReceipt) -> ProxyRequest {
    let url = payment_url(proxy, &payment.transaction_id);
    ProxyRequest::get(&url).bearer(Some(&payment.receipt))
}

/// Sets the mark with this secret: money may have been sent for a payment.
pub(crate) fn mark_sent(
    proxy: &str,
    payment: &PaymentReceipt,
    secret: &MarkSecret,
) -> ProxyRequest {
    ProxyRequest::put(&sent_url(proxy, payment, secret)).bearer(Some(&payment.receipt))
}

/// Removes it.
pub(crate) fn unmark_sent(
    proxy: &str,
    payment: &PaymentReceipt,
    secret: &MarkSecret,
) -> ProxyRequest {
    let body = sent::MarkSecret {
        secret: secret.0.clone(),
    };
    ProxyRequest::delete(&sent_url(proxy, payment, secret), &body).bearer(Some(&payment.receipt))
}

fn sent_url(proxy: &str, payment: &PaymentReceipt, secret: &MarkSecret) -> String {
    let payment = payment_url(proxy, &payment.transaction_id);
    format!("{payment}{}/{}", path::SENT, secret.digest())
}

/// The URL of a payment's event stream.
pub(crate) fn events_url(proxy: &str, id: &str) -> String {
    format!("{}/events", payment_url(proxy, id))
}

fn payment_url(proxy: &str, id: &str) -> String {
    let id = js_sys::encode_uri_component(id);
    format!("{proxy}{}/{id}", path::PAYMENT)
}
