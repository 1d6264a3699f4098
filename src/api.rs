//! Requests to the merchant proxy, at the paths of the service's document.

use gloo_net::http::{Request, RequestBuilder, Response};
use js_sys::Promise;
use tender_core::{Answer, Answered, Attempt, Unanswered};
use tender_protocol::{CancelPayment, path};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

/// How long a buyer waits for an answer, in milliseconds. Longer than the proxy waits for the
/// service, so that it is the proxy who says that the service took too long.
const PATIENCE: u32 = 30_000;

/// The token listing.
pub(crate) async fn tokens(proxy: &str) -> Answered {
    send(patient(Request::get(&format!("{proxy}{}", path::TOKENS))).build()).await
}

/// The token listing as the loader has asked for it: a promise of a `Response`.
pub(crate) async fn handed_tokens(promise: Promise) -> Answered {
    let response = JsFuture::from(promise)
        .await
        .and_then(JsCast::dyn_into::<web_sys::Response>);
    read(response.map_err(|error| unanswered(&error))?.into()).await
}

/// Creates the payment of an attempt.
pub(crate) async fn create(proxy: &str, attempt: &Attempt) -> Answered {
    let request = patient(Request::post(&format!("{proxy}{}", path::PAYMENT)))
        .header("Idempotency-Key", &format!("\"{}\"", attempt.key.0));
    send(request.json(&attempt.request)).await
}

/// Cancels a payment.
pub(crate) async fn cancel(proxy: &str, id: &str, receipt: Option<&str>) -> Answered {
    let mut request = patient(Request::post(&format!("{proxy}{}", path::CANCEL)));
    if let Some(receipt) = receipt {
        request = request.header("Authorization", &format!("Bearer {receipt}"));
    }
    send(request.json(&CancelPayment {
        transaction_id: id.to_owned(),
    }))
    .await
}

/// The latest record of a payment.
pub(crate) async fn payment(proxy: &str, id: &str, receipt: &str) -> Answered {
    let request = patient(Request::get(&payment_url(proxy, id)))
        .header("Authorization", &format!("Bearer {receipt}"));
    send(request.build()).await
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

fn patient(request: RequestBuilder) -> RequestBuilder {
    let signal = AbortSignal::timeout_with_u32(PATIENCE);
    request
        .header("Accept", "application/json")
        .abort_signal(Some(&signal))
}

async fn send(request: Result<Request, gloo_net::Error>) -> Answered {
    read(request.map_err(lost)?.send().await.map_err(lost)?).await
}

async fn read(response: Response) -> Answered {
    let status = response.status();
    let body = response.text().await.map_err(lost)?;
    Ok(Answer { status, body })
}

fn lost(error: gloo_net::Error) -> Unanswered {
    match error {
        gloo_net::Error::JsError(error) if error.name == "TimeoutError" => Unanswered::TimedOut,
        error => Unanswered::Unreachable(error.to_string()),
    }
}

fn unanswered(error: &JsValue) -> Unanswered {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) if error.name() == "TimeoutError" => Unanswered::TimedOut,
        Some(error) => Unanswered::Unreachable(error.message().into()),
        None => Unanswered::Unreachable("the request was refused".to_owned()),
    }
}
