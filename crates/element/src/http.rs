//! Requests to the merchant proxy.
//!
//! gloo-net builds the requests. They are sent by the page's own `fetch`, which the page may have wrapped, replaced or
//! removed. So it is called with `catch`, and a response is recognised by its properties, because its class may be that of
//! another frame. (gloo-net's own `send` panics in these cases.)

use std::cell::Cell;
use std::pin::pin;

use futures_util::future::{Either, select};
use gloo_net::http::{Headers, Request, RequestBuilder};
use gloo_timers::future::TimeoutFuture;
use js_sys::{Promise, Reflect};
use serde::Serialize;
use tender_protocol::client::{FetchResult, HttpResponse, TransportError};
use tender_protocol::{CancelPayment, path};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, Response, UrlSearchParams};

/// How long to wait for a response, in milliseconds. Longer than the proxy waits for the payment service, so that the
/// proxy can report that time-out itself.
pub const REQUEST_TIMEOUT: u32 = 30_000;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_name = fetch)]
    fn page_fetch(request: &web_sys::Request) -> Result<JsValue, JsValue>;
}

thread_local! {
    /// How many requests with a credential the page has sent.
    static REQUESTS: Cell<u32> = const { Cell::new(0) };
}

/// A request to the proxy.
pub struct ProxyRequest {
    method: fn(&str) -> RequestBuilder,
    url: String,
    headers: Vec<(&'static str, String)>,
    body: Option<serde_json::Result<String>>,
}

impl ProxyRequest {
    /// A `GET` request for JSON.
    pub fn get(url: &str) -> Self {
        Self::without_body(Request::get, url)
    }

    /// A `PUT` request without a body.
    pub fn put(url: &str) -> Self {
        Self::without_body(Request::put, url)
    }

    fn without_body(method: fn(&str) -> RequestBuilder, url: &str) -> Self {
        Self {
            method,
            url: url.to_owned(),
            headers: Vec::new(),
            body: None,
        }
        .header("Accept", "application/json")
    }

    /// A `POST` request with a JSON body.
    pub fn post(url: &str, body: &impl Serialize) -> Self {
        Self::with_body(Request::post, url, body)
    }

    /// A `DELETE` request with a JSON body.
    pub fn delete(url: &str, body: &impl Serialize) -> Self {
        Self::with_body(Request::delete, url, body)
    }

    fn with_body(method: fn(&str) -> RequestBuilder, url: &str, body: &impl Serialize) -> Self {
        Self {
            method,
            url: url.to_owned(),
            headers: Vec::new(),
            body: Some(serde_json::to_string(body)),
        }
        .header("Accept", "application/json")
        .header("Content-Type", "application/json")
    }

    /// Sets a header.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.retain(|(other, _)| *other != name);
        self.headers.push((name, value.into()));
        self
    }

    /// Sets the `Authorization` header to a receipt or a merchant key, if there is one.
    #[must_use]
    pub fn bearer(self, token: Option<&str>) -> Self {
        match token {
            Some(token) => self.header("Authorization", format!("Bearer {token}")),
            None => self,
        }
    }

    /// What makes the address of a `GET` with a credential another one each time. Caches in service workers and in servers know
    /// a response by its address, and whose it is says only a header. The proxy ignores the parameter.
    fn fresh(&self) -> Option<String> {
        let is_personal = self
            .headers
            .iter()
            .any(|(name, _)| *name == "Authorization");
        if self.body.is_some() || !is_personal {
            return None;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and 2^32"
        )]
        let random = (js_sys::Math::random() * 4_294_967_296.0) as u32;
        let number = REQUESTS.replace(REQUESTS.get().wrapping_add(1));
        Some(format!("{random}-{number}"))
    }

    /// Sends the request, and reads the whole response.
    ///
    /// # Errors
    /// [`TransportError`] without a response, or after [`REQUEST_TIMEOUT`].
    pub async fn send(self) -> FetchResult {
        let abort = AbortOnDrop::new();
        let response = pin!(async {
            let response = self.start(abort.controller()).await?;
            let body = text(&response).await?;
            Ok(HttpResponse {
                status: response.status(),
                body,
            })
        });
        match select(response, TimeoutFuture::new(REQUEST_TIMEOUT)).await {
            Either::Left((result, _)) => result,
            Either::Right(_) => Err(TransportError::TimedOut),
        }
    }

    /// Sends the request, and waits for the response's headers.
    pub(crate) async fn start(
        self,
        abort: Option<&AbortController>,
    ) -> Result<Response, TransportError> {
        let signal = abort.map(AbortController::signal);
        // gloo-net's builder creates both, too, and panics where the page has broken them.
        let headers = web_sys::Headers::new().map_err(|error| transport_error(&error))?;
        UrlSearchParams::new().map_err(|error| transport_error(&error))?;
        for (name, value) in &self.headers {
            // Fails for a value that is not valid in a header.
            headers
                .set(name, value)
                .map_err(|error| transport_error(&error))?;
        }
        let request = (self.method)(&self.url)
            .query(self.fresh().map(|fresh| ("_", fresh)))
            .headers(Headers::from_raw(headers))
            .abort_signal(signal.as_ref());
        let body = self.body.transpose();
        let request = match body.map_err(|error| not_sent(&error))? {
            Some(body) => request.body(body),
            None => request.build(),
        };
        let request = request.map_err(|error| not_sent(&error))?;
        let promise = page_fetch(&request.into()).map_err(|error| transport_error(&error))?;
        let response = JsFuture::from(Promise::resolve(&promise)).await;
        let response = response.map_err(|error| transport_error(&error))?;
        if is_response(&response) {
            Ok(response.unchecked_into())
        } else {
            Err(TransportError::Unreachable(
                "the page's `fetch` returned no response".to_owned(),
            ))
        }
    }
}

/// The request that cancels a payment; `token` is a receipt or a merchant key.
pub fn cancel_payment(proxy: &str, transaction_id: &str, token: Option<&str>) -> ProxyRequest {
    let payment = CancelPayment {
        transaction_id: transaction_id.to_owned(),
    };
    ProxyRequest::post(&format!("{proxy}{}", path::CANCEL), &payment).bearer(token)
}

/// The response to a request of the loader: a promise of `{ status, body }`.
///
/// # Errors
/// [`TransportError`] when the promise is rejected, or resolves to something else.
pub async fn from_loader(promise: Promise) -> FetchResult {
    let response = JsFuture::from(promise).await;
    let response = response.map_err(|error| transport_error(&error))?;
    let status = number(&response, "status");
    let body = get(&response, "body").and_then(|body| body.as_string());
    match (status, body) {
        (Some(status), Some(body)) => Ok(HttpResponse { status, body }),
        _ => Err(TransportError::Unreachable(
            "the page's `fetch` returned no response".to_owned(),
        )),
    }
}

/// Aborts its requests when it is dropped.
pub(crate) struct AbortOnDrop(Option<AbortController>);

impl AbortOnDrop {
    pub(crate) fn new() -> Self {
        Self(AbortController::new().ok())
    }

    pub(crate) fn controller(&self) -> Option<&AbortController> {
        self.0.as_ref()
    }
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        if let Some(controller) = &self.0 {
            controller.abort();
        }
    }
}

async fn text(response: &Response) -> Result<String, TransportError> {
    let promise = response.text().map_err(|error| transport_error(&error))?;
    let text = JsFuture::from(Promise::resolve(&promise)).await;
    let text = text.map_err(|error| transport_error(&error))?;
    text.as_string().ok_or_else(|| {
        TransportError::Unreachable("the page's `fetch` returned no text".to_owned())
    })
}

fn is_response(value: &JsValue) -> bool {
    number(value, "status").is_some() && get(value, "text").is_some_and(|text| text.is_function())
}

/// An HTTP status.
fn number(object: &JsValue, name: &str) -> Option<u16> {
    let number = get(object, name)?.as_f64()?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an HTTP status is a whole number below 600; anything else is an error anyway"
    )]
    let status = number as u16;
    Some(status)
}

/// A property; `None` where there is no such object.
fn get(object: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(object, &name.into()).ok()
}

fn not_sent(error: &dyn std::error::Error) -> TransportError {
    TransportError::Unreachable(error.to_string())
}

/// Errors of other frames are instances of other classes, so this compares names only.
fn transport_error(error: &JsValue) -> TransportError {
    let text = |name| get(error, name).and_then(|text| text.as_string());
    if text("name").as_deref() == Some("TimeoutError") {
        return TransportError::TimedOut;
    }
    let message = text("message").unwrap_or_else(|| "the request failed".to_owned());
    TransportError::Unreachable(message)
}
