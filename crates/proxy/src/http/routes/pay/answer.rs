//! What a request is answered with: a page, or the address of one.

use axum::body::Bytes;
use axum::http::header::{
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, REFERRER_POLICY, SET_COOKIE,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::language;
use super::policy::policy;
use super::visit::Visit;
use crate::encoding::Encoded;
use crate::error::Error;
use crate::http::app::App;
use crate::rendering::hosted::{Checkout, Live};

/// Without this, older browsers send `Origin: null` with a form (Fetch standard, "append a request `Origin` header"). No
/// address is sent, only the proxy's origin.
const REFERRERS: HeaderValue = HeaderValue::from_static("strict-origin");

/// Seconds until the page of an open payment is loaded again.
const REFRESH_AFTER: u32 = 15;

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

/// What a request is answered with.
pub(super) enum Answer {
    Page(Box<Page>),
    /// The address, and cookies to set.
    Redirect(String, Vec<HeaderValue>),
}

pub(super) struct Page {
    pub(super) checkout: Checkout,
    /// The transaction hash that the buyer has entered, if the page is for entering it.
    pub(super) hash: Option<String>,
    /// Why the page is not what was asked for.
    pub(super) error: Option<Error>,
    /// What the live element that replaces the page continues with.
    pub(super) live: Option<Live>,
    /// Whether a browser without scripts loads the page again after a while.
    pub(super) refreshes: bool,
}

impl From<Checkout> for Page {
    fn from(checkout: Checkout) -> Self {
        Self {
            checkout,
            hash: None,
            error: None,
            live: None,
            refreshes: false,
        }
    }
}

impl From<Page> for Answer {
    fn from(page: Page) -> Self {
        Self::Page(Box::new(page))
    }
}

impl From<Checkout> for Answer {
    fn from(checkout: Checkout) -> Self {
        Page::from(checkout).into()
    }
}

pub(super) fn respond(answer: Result<Answer, Error>, visit: &Visit<'_>) -> Response {
    let (address, cookies) = match answer {
        Ok(Answer::Redirect(address, cookies)) => (address, cookies),
        Ok(Answer::Page(page)) => {
            return html(*page, visit.place.address(), visit.app, &visit.headers);
        }
        Err(error) => return failure(error, Some(&visit.place.locale), visit.app, &visit.headers),
    };
    let mut response = StatusCode::SEE_OTHER.into_response();
    let headers = response.headers_mut();
    match HeaderValue::try_from(address) {
        Ok(address) => headers.insert(LOCATION, address),
        Err(error) => return Error::internal(error).into_response(),
    };
    for cookie in cookies {
        headers.append(SET_COOKIE, cookie);
    }
    response
}

/// A page that says why there is no other.
pub(super) fn failure(
    error: Error,
    locale: Option<&str>,
    app: &App,
    headers: &HeaderMap,
) -> Response {
    let locale = language::choose(locale, headers);
    let Ok(checkout) = Checkout::failed(&locale, &error.problem()) else {
        return error.into_response();
    };
    let page = Page {
        error: Some(error),
        ..checkout.into()
    };
    html(page, String::new(), app, headers)
}

fn html(page: Page, address: String, app: &App, request: &HeaderMap) -> Response {
    let policy = match policy(page.live.is_some()) {
        Ok(policy) => policy,
        Err(error) => return Error::internal(error).into_response(),
    };
    let refresh = page.refreshes.then_some(REFRESH_AFTER);
    let shop_name = app.shop_name.clone();
    let html = page
        .checkout
        .html(shop_name, address, page.hash, page.live, refresh);
    let html = Encoded::compressed_for(request, &Bytes::from(html));
    let mut response = html.response(request);
    if let Some(error) = page.error {
        response = error.response(response);
    }
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HTML);
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    headers.insert(REFERRER_POLICY, REFERRERS);
    response
}
