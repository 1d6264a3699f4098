//! Whether a request comes from a page of the proxy's own origin.

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

/// What the browser says about the page that sent a request (Fetch Metadata).
const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// Whether the browser doesn't say that a page of another origin sent the request. A browser that sends neither
/// `Sec-Fetch-Site` nor `Origin`, such as a text browser, doesn't say so.
pub(crate) fn is_own(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = headers.get(SEC_FETCH_SITE) {
        site == "same-origin"
    } else if headers.contains_key(ORIGIN) {
        // The proxy doesn't know whether a reverse proxy in front of it speaks TLS, so the schemes are not compared.
        let host = text(ORIGIN).and_then(|origin| Some(origin.split_once("://")?.1));
        host.is_some() && host == text(HOST)
    } else {
        true
    }
}
