//! Responses of all routes: pages with their security headers, and failures.

use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use axum::response::{Html, IntoResponse, Response};

use crate::page::PageError;

/// A page with its Content Security Policy, which must not be cached.
pub(crate) fn protected(page: String, policy: String) -> impl IntoResponse {
    (
        [
            (CONTENT_SECURITY_POLICY, policy),
            (CACHE_CONTROL, "no-store".to_owned()),
        ],
        Html(page),
    )
}

/// The policy of all pages (CSP Level 3): only the shop's stylesheet is allowed.
pub(crate) const POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

pub(crate) fn text_policy() -> String {
    format!("{POLICY}; img-src 'self'")
}

/// The cause is logged, and the buyer sees a general message.
impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        tracing::error!("{self}");
        let message = "This page can't be shown right now.\n";
        (StatusCode::INTERNAL_SERVER_ERROR, message).into_response()
    }
}
