//! `GET /api/v1/payment/{transactionId}/events`: an event stream of a payment's records (HTML
//! standard, "Server-sent events"), for the buyer with its receipt or the merchant.
//!
//! An `EventSource` can't set headers, so a receipt is also accepted in the query. A merchant key
//! is not, because URLs end up in logs and browser histories.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use crate::http::app::App;
use crate::http::problems::Error;

/// A client sends this header when it reconnects.
pub(crate) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Tells nginx and compatible proxies not to buffer the response.
const DO_NOT_BUFFER: (HeaderName, HeaderValue) = (
    HeaderName::from_static("x-accel-buffering"),
    HeaderValue::from_static("no"),
);

#[derive(Deserialize)]
pub(super) struct Credentials {
    receipt: Option<String>,
}

pub(super) async fn get(
    State(app): State<Arc<App>>,
    Path(transaction_id): Path<String>,
    query: Result<Query<Credentials>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let receipt = query.ok().and_then(|Query(query)| query.receipt);
    let caller = match receipt {
        Some(receipt) if !headers.contains_key(AUTHORIZATION) => app.access.buyer(&receipt)?,
        _ => app.access.caller(&headers)?,
    };
    caller.require_access(&transaction_id)?;
    let known = last_event_id(&headers);
    let body = app.tracking.watch(&transaction_id, known).await?;
    Ok(event_stream(body))
}

/// The last event that a reconnecting client has received.
pub(crate) fn last_event_id(headers: &HeaderMap) -> Option<i64> {
    headers.get(LAST_EVENT_ID)?.to_str().ok()?.parse().ok()
}

pub(super) fn event_stream(body: Body) -> Response {
    let media_type = HeaderValue::from_static("text/event-stream");
    ([(CONTENT_TYPE, media_type), DO_NOT_BUFFER], body).into_response()
}
