//! Logs and counts each request, and gives it an id that the response also contains.
//!
//! The logged path is the route's pattern, because the actual path or query may contain a secret.
//! Headers and bodies are not logged.

use std::sync::Arc;

use crate::clock::Instant;
use crate::http::App;
use crate::random;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::{Instrument, field, info, info_span};

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The header with the trace that the request belongs to (W3C Trace Context).
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// The longest id that is taken from a request.
const MAX_ID: usize = 64;

pub(crate) async fn log(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let path = route.as_ref().map_or("no route", MatchedPath::as_str);
    let id = trusted(&app, request.headers(), REQUEST_ID).filter(|id| is_plain(id));
    let id = id.map_or_else(new_id, str::to_owned);
    let trace = trusted(&app, request.headers(), TRACEPARENT).and_then(trace_id);
    // The `kid` of an order is recorded when it is read.
    let kid = field::Empty;
    let span = info_span!("request", id, method = %request.method(), path, trace, kid);
    let begun = Instant::now();

    let mut response = next.run(request).instrument(span.clone()).await;

    let status = response.status().as_u16();
    let took = begun.elapsed();
    app.metrics.request(path, status, took);
    let microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    span.in_scope(|| info!(status, microseconds, "answered"));
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

/// A header that only a trusted proxy may set: with an id of its choice, a client could hide among
/// the requests of others.
fn trusted<'a>(app: &App, headers: &'a HeaderMap, name: HeaderName) -> Option<&'a str> {
    let header = headers.get(name)?;
    let is_trusted = app.config.server.trusted_proxies > 0;
    header.to_str().ok().filter(|_| is_trusted)
}

fn is_plain(id: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    (1..=MAX_ID).contains(&id.len()) && id.bytes().all(is_plain)
}

/// The second field: 32 hexadecimal digits.
fn trace_id(traceparent: &str) -> Option<&str> {
    let is_id = |id: &&str| id.len() == 32 && id.bytes().all(|digit| digit.is_ascii_hexdigit());
    traceparent.split('-').nth(1).filter(is_id)
}

fn new_id() -> String {
    let mut bytes = [0; 8];
    // Random numbers are available on every platform; otherwise the id is zero.
    let _ = random::fill(&mut bytes);
    format!("{:016x}", u64::from_ne_bytes(bytes))
}
