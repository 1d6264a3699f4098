//! What a request is answered with: a page, or the address of one.

use axum::body::Bytes;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};

use super::language;
use super::policy::policy;
use super::visit::Visit;
use crate::encoding::Encoded;
use crate::error::Error;
use crate::http::app::App;
use crate::rendering::hosted::Checkout;

/// Without this, older browsers send `Origin: null` with a form (Fetch standard, "append a request `Origin` header"). No
/// address is sent, only the proxy's origin.
const REFERRERS: HeaderValue = HeaderValue::from_static("strict-origin");

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

/// What a request is answered with.
pub(super) enum PageResponse {
    /// A page, and why it is not what was asked for.
    Page(Box<Checkout>, Option<Error>),
    /// The address, and cookies to set.
    Redirect(String, Vec<HeaderValue>),
}

impl From<Checkout> for PageResponse {
    fn from(checkout: Checkout) -> Self {
        Self::Page(Box::new(checkout), None)
    }
}

pub(super) fn respond(answer: Result<PageResponse, Error>, visit: &Visit) -> Response {
    match answer {
        Ok(PageResponse::Page(mut checkout, error)) => {
            checkout.page.address = visit.place.address_of(&checkout);
            html(*checkout, error, &visit.app, &visit.headers)
        }
        Ok(PageResponse::Redirect(address, cookies)) => {
            let cookies = cookies.into_iter().map(|cookie| (SET_COOKIE, cookie));
            (AppendHeaders(cookies), Redirect::to(&address)).into_response()
        }
        Err(error) => failure(error, Some(&visit.place.locale), &visit.app, &visit.headers),
    }
}

/// A page that says why there is no other.
pub(super) fn failure(
    error: Error,
    locale: Option<&str>,
    app: &App,
    headers: &HeaderMap,
) -> Response {
    let locale = language::choose(locale, headers);
    match Checkout::failed(&locale, &error.problem()) {
        Ok(checkout) => html(checkout, Some(error), app, headers),
        Err(_) => error.into_response(),
    }
}

fn html(checkout: Checkout, error: Option<Error>, app: &App, request: &HeaderMap) -> Response {
    let mut page = checkout.page;
    page.shop_name.clone_from(&app.config.server.shop_name);
    let logo = app.config.server.shop_logo.as_ref();
    page.logo = logo.map(|logo| format!("/v1/{}", logo.name));
    page.colours = app.config.server.colours();
    let policy = policy(&page);
    let html = Encoded::compressed_for(request, &Bytes::from(page.html()));
    let mut response = html.response(request);
    if let Some(error) = error {
        response = error.response(response);
    }
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HTML);
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    headers.insert(REFERRER_POLICY, REFERRERS);
    response
}
