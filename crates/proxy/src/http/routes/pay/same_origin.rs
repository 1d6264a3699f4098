//! Refuses forms that another site has sent (cross-site request forgery).

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

use crate::http::problems::Error;

/// What the browser says about the page that sent a request (Fetch Metadata).
const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// Fails if the browser says that another site sent the form. A browser that sends neither `Sec-Fetch-Site` nor `Origin`, such
/// as a text browser, is trusted: without the cookie, which is `SameSite=Strict`, a form can only create the payment of an
/// order that its sender has.
pub(super) fn check(headers: &HeaderMap) -> Result<(), Error> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let is_own = if let Some(site) = headers.get(SEC_FETCH_SITE) {
        site == "same-origin"
    } else if headers.contains_key(ORIGIN) {
        // The proxy doesn't know whether a reverse proxy in front of it speaks TLS, so the schemes are not compared.
        let host = text(ORIGIN).and_then(|origin| Some(origin.split_once("://")?.1));
        host.is_some() && host == text(HOST)
    } else {
        true
    };
    let other = || Error::invalid("the form was sent by another site");
    is_own.then_some(()).ok_or_else(other)
}
