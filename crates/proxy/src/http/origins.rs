//! Requests from pages of other origins. Tells the developer of such a page that its origin is not allowed.
//!
//! A page can't read an answer without CORS headers, so a wrong `allow_origin` would look like a proxy that is down.
//! Therefore a `GET` from such a page gets an error that every page can read, and nothing else. A preflight stays
//! refused, so such a page can send no request that has an effect.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::error::Error;
use crate::http::App;

/// What the browser says about the page that sent a request (Fetch Metadata).
const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// The longest origin that is quoted: a scheme, the longest host name and a port.
const MAX_ORIGIN: usize = 270;

fn error(allowed: &[HeaderValue], origin: &HeaderValue) -> Error {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let allowed: Vec<_> = allowed.iter().map(text).collect();
    Error::OriginRefused {
        origin: text(origin).chars().take(MAX_ORIGIN).collect(),
        allowed: match &*allowed {
            [] => "only its own".to_owned(),
            allowed => allowed.join(", "),
        },
    }
}

/// Refuses a `GET` from a page of another origin that is not allowed. Browsers send no `Origin` with a `GET` to the
/// page's own.
pub(crate) async fn refuse(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let allowed = &app.config.server.allow_origins;
    let is_allowed = |origin: &HeaderValue| {
        let mut allowed = allowed.iter();
        allowed.any(|allowed| allowed == "*" || allowed == origin)
    };
    let headers = request.headers();
    let error = match headers.get(ORIGIN) {
        Some(origin)
            if request.method() == Method::GET && !is_allowed(origin) && !is_own(headers) =>
        {
            error(allowed, origin)
        }
        _ => return next.run(request).await,
    };
    if app.limits.refused_origins.spend(()).is_ok() {
        tracing::warn!("{error}");
    }
    let mut response = error.into_response();
    let everyone = HeaderValue::from_static("*");
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, everyone);
    response
}

/// Whether an origin's host is that of the request. nginx's `$host` has no port, and a name may end with the dot of the root.
fn is_same_host(origin: &str, host: &str) -> bool {
    let (name, port) = origin.split_once(':').unwrap_or((origin, ""));
    let (host, host_port) = host.split_once(':').unwrap_or((host, ""));
    let is_same_name = name.trim_end_matches('.') == host.trim_end_matches('.');
    is_same_name && (host_port == port || host_port.is_empty())
}

/// Whether the browser doesn't say that a page of another origin sent the request. A browser that sends neither
/// `Sec-Fetch-Site` nor `Origin`, such as a text browser, doesn't say so.
pub(crate) fn is_own(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = headers.get(SEC_FETCH_SITE) {
        site == "same-origin"
    } else if headers.contains_key(ORIGIN) {
        // The proxy doesn't know whether a reverse proxy in front of it speaks TLS, so the schemes are not compared.
        let origin = text(ORIGIN).and_then(|origin| Some(origin.split_once("://")?.1));
        origin
            .zip(text(HOST))
            .is_some_and(|(origin, host)| is_same_host(origin, host))
    } else {
        true
    }
}
