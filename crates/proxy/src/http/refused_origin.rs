//! Tells the developer of a page that its origin is not allowed.
//!
//! A page can't read an answer without CORS headers, so a wrong `allow_origin` would look like a proxy that is down.
//! Therefore a `GET` from such a page gets an error that every page can read, and nothing else. A preflight stays
//! refused, so such a page can send no request that has an effect.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, ORIGIN};
use axum::http::{HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::error::Error;
use crate::http::same_origin;
use crate::rate_limit::RateLimit;

/// The longest origin that is quoted: a scheme, the longest host name and a port.
const MAX_ORIGIN: usize = 270;

/// The origins of `allow_origin`.
pub(crate) struct AllowedOrigins {
    origins: Vec<HeaderValue>,
    /// Of warnings in the log.
    limit: RateLimit,
}

impl AllowedOrigins {
    pub(crate) fn new(origins: &[HeaderValue]) -> Self {
        Self {
            origins: origins.to_vec(),
            limit: RateLimit::per_minute(1),
        }
    }

    fn contain(&self, origin: &HeaderValue) -> bool {
        let mut origins = self.origins.iter();
        origins.any(|allowed| allowed == "*" || allowed == origin)
    }

    fn error(&self, origin: &HeaderValue) -> Error {
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let origins: Vec<_> = self.origins.iter().map(text).collect();
        Error::OriginRefused {
            origin: text(origin).chars().take(MAX_ORIGIN).collect(),
            allowed: match &*origins {
                [] => "only its own".to_owned(),
                origins => origins.join(", "),
            },
        }
    }
}

/// Refuses a `GET` from a page of another origin that is not allowed. Browsers send no `Origin` with a `GET` to the
/// page's own.
pub(crate) async fn refuse(
    State(allowed): State<Arc<AllowedOrigins>>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let error = match headers.get(ORIGIN) {
        Some(origin)
            if request.method() == Method::GET
                && !allowed.contain(origin)
                && !same_origin::is_own(headers) =>
        {
            allowed.error(origin)
        }
        _ => return next.run(request).await,
    };
    if allowed.limit.spend(()).is_ok() {
        tracing::warn!("{error}");
    }
    let mut response = error.into_response();
    let everyone = HeaderValue::from_static("*");
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, everyone);
    response
}
