//! Event streams (HTML standard, "Server-sent events"): `GET /api/v1/payment/{transactionId}/events` of a payment's
//! records, for the buyer with its receipt or the merchant, and `GET /api/v1/payment/events` of all payments, for the
//! merchant.
//!
//! An `EventSource` can't set headers, so a receipt is also accepted in the query. A merchant key
//! is not, because URLs end up in logs and browser histories.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequestParts, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, HeaderName};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::future::ready;
use futures_util::stream::{Stream, StreamExt as _, once};
use serde::Deserialize;
use tender_protocol::openapi::StreamEvent;
use tender_protocol::path;
use utoipa::IntoParams;

use super::of_payment;
use crate::clock::jitter;
use crate::error::Error;
use crate::http::limits::Permit;
use crate::http::{App, BUYER, Caller, ClientIp, MERCHANT, Merchant, PaymentId, Query};

/// Shorter than the idle timeout of reverse proxies and load balancers, such as 60 seconds in
/// nginx.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// The reconnection time of clients, to which jitter is added.
const RETRY: Duration = Duration::from_secs(2);

/// A client sends this header when it reconnects.
pub(crate) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

const LAST_EVENT: &str = "The last event that a client which reconnects has received";

/// Tells nginx and compatible proxies not to buffer the response.
const DO_NOT_BUFFER: (HeaderName, HeaderValue) = (
    HeaderName::from_static("x-accel-buffering"),
    HeaderValue::from_static("no"),
);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Receipt {
    /// The payment's receipt, because an `EventSource` can't set headers.
    receipt: Option<String>,
}

/// The caller, by its header or by the receipt in the query.
pub(super) struct Watcher(Caller);

impl FromRequestParts<Arc<App>> for Watcher {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Error> {
        let Query(Receipt { receipt }) = Query::from_request_parts(parts, app).await?;
        match receipt {
            Some(receipt) if !parts.headers.contains_key(AUTHORIZATION) => {
                app.access.load().buyer(&receipt).map(Self)
            }
            _ => Caller::from_request_parts(parts, app).await.map(Self),
        }
    }
}

/// Events of a payment
///
/// Server-sent events: a `status` event with the record at once, and one for each change.
#[utoipa::path(
    get,
    path = of_payment("/events"),
    tag = BUYER,
    operation_id = "watchPayment",
    params(PaymentId, Receipt, ("Last-Event-ID" = Option<i64>, Header, description = LAST_EVENT)),
    responses((status = 200, description = "A stream of events", body = StreamEvent, content_type = "text/event-stream")),
    security(("receipt" = []), ("receiptInQuery" = []), ("merchantKey" = [])),
)]
pub(super) async fn get(
    State(app): State<Arc<App>>,
    Watcher(caller): Watcher,
    payment: PaymentId,
    client: ClientIp,
    headers: HeaderMap,
) -> Result<Response, Error> {
    caller.require_access(payment.as_str())?;
    let permits = app.limits.stream(&caller, client)?;
    let known = last_event_id(&headers);
    let events = app.tracking.watch(payment.as_str(), known, caller.viewer());
    let events = events.await?;
    Ok(event_stream(events, permits))
}

/// Events of all payments
///
/// Server-sent events, to 32 clients per instance: `created` for a payment that is new to the proxy, also one that it didn't
/// create, `status` for a changed record, and `ledger`, with `{}`, when the ledger has news. The stream begins with
/// the latest `id`, without an event: open it first, then read the list, so that no payment is missed. While it is open, the
/// proxy reads the list's first page every `poll_seconds`. `Last-Event-ID` brings the events of up to an hour.
#[utoipa::path(
    get,
    path = path::EVENTS,
    tag = MERCHANT,
    operation_id = "watchPayments",
    params(("Last-Event-ID" = Option<i64>, Header, description = LAST_EVENT)),
    responses((status = 200, description = "A stream of events", body = StreamEvent, content_type = "text/event-stream")),
    security(("merchantKey" = [])),
)]
pub(super) async fn get_all(
    State(app): State<Arc<App>>,
    _: Merchant,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let permits = app.limits.merchant_stream()?;
    let events = app.tracking.watch_all(last_event_id(&headers)).await?;
    Ok(event_stream(events, permits))
}

/// The last event that a reconnecting client has received.
pub(crate) fn last_event_id(headers: &HeaderMap) -> Option<i64> {
    headers.get(LAST_EVENT_ID)?.to_str().ok()?.parse().ok()
}

/// The response with a stream of events: first the reconnection time, then the events. The stream
/// holds the permits until it ends.
fn event_stream(
    events: impl Stream<Item = sse::Event> + Send + 'static,
    permits: Vec<Permit>,
) -> Response {
    let retry = sse::Event::default().retry(RETRY + jitter(RETRY));
    let events = once(ready(retry)).chain(events).map(move |event| {
        let _held = &permits;
        Ok::<_, Infallible>(event)
    });
    let events = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    let no_store = (CACHE_CONTROL, HeaderValue::from_static("no-store"));
    ([no_store, DO_NOT_BUFFER], events).into_response()
}
