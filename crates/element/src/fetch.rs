//! Requests to the merchant proxy, and their answers.

use gloo_net::http::{Request, RequestBuilder, Response};
use js_sys::Promise;
use tender_client::{Answer, Answered, Unanswered};
use tender_protocol::{CancelPayment, Record, path};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

/// How long a person waits for an answer, in milliseconds. Longer than the proxy waits for the
/// service, so that it is the proxy who says that the service took too long.
const PATIENCE: u32 = 30_000;

/// A request for JSON that is given up where it takes too long.
#[must_use]
pub fn patient(request: RequestBuilder) -> RequestBuilder {
    let signal = AbortSignal::timeout_with_u32(PATIENCE);
    request
        .header("Accept", "application/json")
        .abort_signal(Some(&signal))
}

/// The request with this in its `Authorization` header, where there is something: a receipt or a
/// merchant key.
#[must_use]
pub fn bearer(request: RequestBuilder, token: Option<&str>) -> RequestBuilder {
    match token {
        Some(token) => request.header("Authorization", &format!("Bearer {token}")),
        None => request,
    }
}

/// A request that carries a record.
#[must_use]
pub fn posted(url: &str) -> RequestBuilder {
    patient(Request::post(url)).header("Content-Type", "application/json")
}

/// Cancels a payment, with a receipt or a merchant key.
///
/// # Errors
/// [`Unanswered`] where there is no answer.
pub async fn cancel(proxy: &str, id: &str, token: Option<&str>) -> Answered {
    let request = posted(&format!("{proxy}{}", path::CANCEL));
    let payment = Record::from(&CancelPayment {
        transaction_id: id.to_owned(),
    });
    send(bearer(request, token).body(payment.to_json())).await
}

/// Sends the request and reads its answer whole.
///
/// # Errors
/// [`Unanswered`] where there is none.
pub async fn send(request: Result<Request, gloo_net::Error>) -> Answered {
    read(request.map_err(lost)?.send().await.map_err(lost)?).await
}

/// The answer to a request that the loader has made: a promise of a `Response`.
///
/// # Errors
/// [`Unanswered`] where there is none.
pub async fn handed(promise: Promise) -> Answered {
    let response = JsFuture::from(promise)
        .await
        .and_then(JsCast::dyn_into::<web_sys::Response>);
    read(response.map_err(|error| unanswered(&error))?.into()).await
}

async fn read(response: Response) -> Answered {
    let status = response.status();
    let body = response.text().await.map_err(lost)?;
    Ok(Answer { status, body })
}

fn lost(error: gloo_net::Error) -> Unanswered {
    match error {
        gloo_net::Error::JsError(error) if error.name == "TimeoutError" => Unanswered::TimedOut,
        gloo_net::Error::JsError(error) => Unanswered::Unreachable(error.message),
        gloo_net::Error::GlooError(message) => Unanswered::Unreachable(message),
        // Of JSON, which is not read here: to have it say more would bring what can.
        gloo_net::Error::SerdeError(_) => Unanswered::Unreachable("no JSON".to_owned()),
    }
}

fn unanswered(error: &JsValue) -> Unanswered {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) if error.name() == "TimeoutError" => Unanswered::TimedOut,
        Some(error) => Unanswered::Unreachable(error.message().into()),
        None => Unanswered::Unreachable("the request was refused".to_owned()),
    }
}
