//! Requests to the merchant proxy, and their answers.
//!
//! The browser's `fetch`, called directly: a library for it weighed 1.1 KB before the first choice, most of it for JSON
//! and errors that are not used here.

use js_sys::{Object, Promise, Reflect};
use serde::Serialize;
use tender_client::{FetchResult, HttpResponse, TransportError};
use tender_protocol::{CancelPayment, path};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, RequestInit, Response};

/// How long a person waits for an answer, in milliseconds. Longer than the proxy waits for the
/// service, so that it is the proxy who says that the service took too long.
const PATIENCE: u32 = 30_000;

/// A request to the proxy.
pub struct Request {
    url: String,
    init: RequestInit,
    headers: Object,
}

impl Request {
    /// For a stream, or for an answer that may take its time.
    #[must_use]
    pub fn get(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            init: RequestInit::new(),
            headers: Object::new(),
        }
    }

    /// For JSON; it is given up where it takes too long.
    #[must_use]
    pub fn read(url: &str) -> Self {
        Self::get(url)
            .header("Accept", "application/json")
            .signal(&AbortSignal::timeout_with_u32(PATIENCE))
    }

    /// As [`read`](Self::read), with a body that is written as JSON.
    ///
    /// # Errors
    /// [`TransportError`] if the body can't be written.
    pub fn post(url: &str, body: &impl Serialize) -> Result<Self, TransportError> {
        let json = serde_json::to_string(body)
            .map_err(|error| TransportError::Unreachable(error.to_string()))?;
        let request = Self::read(url).header("Content-Type", "application/json");
        request.init.set_method("POST");
        request.init.set_body(&json.into());
        Ok(request)
    }

    /// Sets a header.
    #[must_use]
    pub fn header(self, name: &str, value: &str) -> Self {
        // Setting a field of an object of our own can't fail; what may not be in a header, `fetch` refuses.
        let _ = Reflect::set(&self.headers, &name.into(), &value.into());
        self
    }

    /// Sets the `Authorization` header, where there is something for it: a receipt or a merchant key.
    #[must_use]
    pub fn bearer(self, token: Option<&str>) -> Self {
        match token {
            Some(token) => self.header("Authorization", &format!("Bearer {token}")),
            None => self,
        }
    }

    /// Ends with this signal.
    #[must_use]
    pub fn signal(self, signal: &AbortSignal) -> Self {
        self.init.set_signal(Some(signal));
        self
    }

    /// Sends the request now, and waits for the head of its answer.
    ///
    /// # Errors
    /// [`TransportError`] where there is none.
    pub fn send(self) -> impl Future<Output = Result<Response, TransportError>> {
        self.init.set_headers(&self.headers);
        let window = web_sys::window();
        // From now on a failure is heard, be there somebody who waits for the answer or not.
        let promise = window
            .map(|window| JsFuture::from(window.fetch_with_str_and_init(&self.url, &self.init)));
        response(promise)
    }

    /// Sends the request now, and reads its answer whole.
    ///
    /// # Errors
    /// [`TransportError`] where there is none.
    pub fn answer(self) -> impl Future<Output = FetchResult> {
        let response = self.send();
        async move { read(response.await?).await }
    }
}

/// Cancels a payment, with a receipt or a merchant key.
///
/// # Errors
/// [`TransportError`] where there is no answer.
pub async fn cancel(proxy: &str, id: &str, token: Option<&str>) -> FetchResult {
    let payment = CancelPayment {
        transaction_id: id.to_owned(),
    };
    Request::post(&format!("{proxy}{}", path::CANCEL), &payment)?
        .bearer(token)
        .answer()
        .await
}

/// The answer to a request that the loader has made and read whole: a promise of `{ status, body }`.
///
/// # Errors
/// [`TransportError`] where there is none, or something else in its place.
pub async fn handed(promise: Promise) -> FetchResult {
    let answer = JsFuture::from(promise).await;
    let answer = answer.map_err(|error| unanswered(&error))?;
    // The loader has asked by the page's own `fetch`, which may be anybody's.
    read_handed(&answer)
        .ok_or_else(|| TransportError::Unreachable("the loader handed over no answer".to_owned()))
}

fn read_handed(answer: &JsValue) -> Option<HttpResponse> {
    let read = |name: &str| Reflect::get(answer, &name.into()).ok();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a status is a whole number below 600; what else a page's `fetch` makes up may be cut"
    )]
    let status = read("status")?.as_f64()? as u16;
    let body = read("body")?.as_string()?;
    Some(HttpResponse { status, body })
}

async fn response(promise: Option<JsFuture>) -> Result<Response, TransportError> {
    let promise = promise.ok_or_else(|| unanswered(&JsValue::UNDEFINED))?;
    let response = promise.await.and_then(JsCast::dyn_into);
    response.map_err(|error| unanswered(&error))
}

async fn read(response: Response) -> FetchResult {
    let status = response.status();
    let text = response.text().map_err(|error| unanswered(&error))?;
    let body = JsFuture::from(text)
        .await
        .map_err(|error| unanswered(&error))?;
    Ok(HttpResponse {
        status,
        body: body.as_string().unwrap_or_default(),
    })
}

fn unanswered(error: &JsValue) -> TransportError {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) if error.name() == "TimeoutError" => TransportError::TimedOut,
        Some(error) => TransportError::Unreachable(error.message().into()),
        None => TransportError::Unreachable("the request was refused".to_owned()),
    }
}
