//! Logs and counts each request, and gives it an id that the response also contains.
//!
//! The logged path is the route's pattern, because the actual path or query may contain a secret.
//! Headers and bodies are not logged.

use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::{Instrument, info, info_span};

use crate::metrics::Metrics;

/// The header with the id. An id sent by the client is ignored.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

pub(crate) async fn log(State(metrics): State<Metrics>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let path = route.as_ref().map_or("no route", MatchedPath::as_str);
    let id = new_id();
    let span = info_span!("request", id, method = %request.method(), path);
    let begun = Instant::now();

    let mut response = next.run(request).instrument(span.clone()).await;

    let status = response.status().as_u16();
    let took = begun.elapsed();
    metrics.request(path, status, took);
    let microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    span.in_scope(|| info!(status, microseconds, "answered"));
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

fn new_id() -> String {
    let mut bytes = [0; 8];
    // Random numbers are available on every platform; otherwise the id is zero.
    let _ = aws_lc_rs::rand::fill(&mut bytes);
    format!("{:016x}", u64::from_ne_bytes(bytes))
}
