//! What a request is answered with: a page, or the address of one.

use aws_lc_rs::digest::{SHA256, digest};
use axum::body::Bytes;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tender_checkout::render::{Brand, STYLE};

use super::place::language;
use super::visit::Visit;
use crate::encoding::compressed;
use crate::error::Error;
use crate::http::App;
use crate::rendering::hosted::Checkout;

/// Without this, older browsers send `Origin: null` with a form (Fetch standard, "append a request `Origin` header"). No
/// address is sent, only the proxy's origin.
const REFERRERS: HeaderValue = HeaderValue::from_static("strict-origin");

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

/// What the live element needs in addition: the widget and its requests, from the proxy. Icons of browser wallets, too, which are
/// `data:` URLs.
const LIVE: &str = "; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

impl Visit {
    /// A page, and why it is not what was asked for.
    pub(super) fn page(&self, mut checkout: Checkout, error: Option<Error>) -> Response {
        checkout.page.address = self.place.address_of(&checkout);
        html(checkout, error, &self.app, &self.headers)
    }

    /// Leads to the order's page, and sets these cookies.
    pub(super) fn redirect(&self, cookies: Vec<HeaderValue>) -> Response {
        redirect(&self.place.address(), cookies)
    }

    /// A page of the same language that says why there is no other.
    pub(super) fn failure(&self, error: Error) -> Response {
        failure(error, Some(&self.place.locale), &self.app, &self.headers)
    }
}

/// Leads to an address, and sets these cookies.
pub(super) fn redirect(address: &str, cookies: Vec<HeaderValue>) -> Response {
    let cookies = cookies.into_iter().map(|cookie| (SET_COOKIE, cookie));
    (AppendHeaders(cookies), Redirect::to(address)).into_response()
}

/// A page that says why there is no other.
pub(super) fn failure(
    error: Error,
    locale: Option<&str>,
    app: &App,
    headers: &HeaderMap,
) -> Response {
    let locale = language(locale, headers);
    match Checkout::failed(&locale, &error.problem()) {
        Ok(checkout) => html(checkout, Some(error), app, headers),
        Err(_) => error.into_response(),
    }
}

fn html(checkout: Checkout, error: Option<Error>, app: &App, request: &HeaderMap) -> Response {
    let page = checkout.page;
    let brand = Brand::from(&app.config.server.brand);
    let policy = policy(&brand, page.live.is_some());
    let mut response = compressed(request, &Bytes::from(page.html(brand)));
    if let Some(error) = error {
        response = error.response(response);
    }
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HTML);
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    headers.insert(REFERRER_POLICY, REFERRERS);
    response
}

/// The Content Security Policy of a page (level 3). It allows the page's own style sheets, by their hashes, the shop's logo, and what the live element
/// needs if that may replace the page. Forms are submitted to the proxy only, and the page can't be embedded.
fn policy(brand: &Brand, is_live: bool) -> HeaderValue {
    let styles = [Some(STYLE.as_str()), brand.colours.as_deref()];
    let styles = styles.into_iter().flatten().map(|style| {
        let hash = STANDARD.encode(digest(&SHA256, style.as_bytes()));
        format!(" 'sha256-{hash}'")
    });
    let styles: String = styles.collect();
    let live = if is_live { LIVE } else { "" };
    let images = match (brand.logo.is_some(), is_live) {
        (false, false) => "",
        (false, true) => "; img-src data:",
        (true, false) => "; img-src 'self'",
        (true, true) => "; img-src 'self' data:",
    };
    let policy = format!(
        "default-src 'none'; style-src{styles}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'{live}{images}"
    );
    // It is valid in a header; otherwise the page could load nothing.
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}
