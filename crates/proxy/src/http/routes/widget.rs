//! What the widget in a page loads: its files, its form as HTML, and the token listing.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::extract::{RawQuery, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_MAX_AGE, AGE,
    CACHE_CONTROL, CONTENT_TYPE, HeaderName, WARNING,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::Response;
use serde::Deserialize;
use tender_protocol::openapi::TokenRecord;
use tender_protocol::{Amount, ProblemCode, path};

use crate::encoding::Encoded;
use crate::error::Error;
use crate::http::problems::CROSS_ORIGIN_RESOURCE_POLICY;
use crate::http::{App, ClientIp, PAGE, Query};
use crate::rendering::shop_page::{Inline, ShopPage};
use crate::rendering::{Attributes, NoForm};
use crate::tokens::Served;

/// Modules and their requests need CORS. Pages with cross-origin isolation need the other headers.
const FOR_EVERY_ORIGIN: [(HeaderName, HeaderValue); 3] = [
    (ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*")),
    (
        CROSS_ORIGIN_RESOURCE_POLICY,
        HeaderValue::from_static("cross-origin"),
    ),
    (
        HeaderName::from_static("timing-allow-origin"),
        HeaderValue::from_static("*"),
    ),
];

/// The longest query of a form, in bytes.
const MAX_QUERY: usize = 1024;

/// Stored, and validated by its entity tag each time: the listing may change, and a preloaded response is used.
const REVALIDATED: HeaderValue = HeaderValue::from_static("public, no-cache");

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Marks a listing that is served because the service fails.
const STALE: HeaderValue = HeaderValue::from_static(r#"110 - "Response is Stale""#);

/// A file of the widget, for pages of any origin
///
/// It has an `ETag`, and comes in brotli or gzip if a file `.br` or `.gz` is beside it. Files with a hash in the name are
/// `immutable` for a year, others `public, max-age=300, stale-while-revalidate=600`: a browser may use an old loader for 15
/// minutes after an update.
#[utoipa::path(
    get,
    path = "/v1/{file}",
    tag = PAGE,
    operation_id = "readFile",
    params(("file" = String, Path, description = "Such as `checkout.js`; it may be in a folder")),
    responses(
        (status = 200, description = "The file", body = String, content_type = "*/*"),
        (status = 304, description = "The client has it, as `If-None-Match` says"),
    ),
)]
pub(super) async fn file(
    State(app): State<Arc<App>>,
    uri: Uri,
    request: HeaderMap,
) -> Result<Response, Error> {
    let path = uri.path().strip_prefix("/v1/").unwrap_or_default();
    let asset = app.assets.get(path).ok_or(ProblemCode::NotFound)?;
    let mut response = asset.content.response(&request);
    let headers = response.headers_mut();
    headers.extend(FOR_EVERY_ORIGIN);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(asset.cache_control));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(asset.content_type));
    Ok(response)
}

/// A browser asks this before the request for a file if the page's `fetch` adds headers, such as those of tracing.
pub(super) async fn preflight() -> (StatusCode, HeaderMap) {
    let mut headers = HeaderMap::from_iter(FOR_EVERY_ORIGIN);
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("*"));
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("3600"));
    (StatusCode::NO_CONTENT, headers)
}

#[derive(Deserialize)]
pub(super) struct Shown {
    inline: Option<Inline>,
}

/// The widget's form as HTML, which its loader or the HTML of a shop's page shows until the module is loaded
///
/// The query has the attributes of the element that change what the form shows. It is for display only: the price that
/// counts is in the signed order. Unknown token codes and words are ignored. A missing or invalid price, or a query over
/// 1,024 bytes, is `invalid-request`; if no token can be offered, it is `not-found`. A `<script type="application/json">` at the
/// end has the accepted tokens.
///
/// With `inline`, the response has no script, and goes between `<template shadowrootmode="open">` and `</template>` inside the
/// element in the shop's page; replace `{{order}}` in it by the signed order. Without the settings `public_url` and
/// `hosted_page`, this is `invalid-request`.
#[utoipa::path(
    get,
    path = path::CHECKOUT,
    tag = PAGE,
    operation_id = "readForm",
    params(
        ("token" = String, Query, description = "The currency of the price"),
        ("quantity" = Option<Amount>, Query, description = "The price; optional if the payer chooses the amount"),
        ("item-number" = Option<String>, Query, description = "`0` lets the payer choose the amount"),
        ("payment-token" = Option<String>, Query, description = "The token that is preselected"),
        ("accept" = Option<String>, Query, description = "Tokens to offer, separated by spaces"),
        ("ask" = Option<String>, Query, description = "Fields to show: `email`, `name`, with `!` if required"),
        ("locale" = Option<String>, Query, description = "The language, as a BCP 47 tag; English by default"),
        ("inline" = inline(Option<Inline>), Query, description = "For the HTML of a shop's page: `style` brings its styles, `link` links them"),
    ),
    responses(
        (status = 200, description = "A fragment for the element's shadow root", body = String, content_type = "text/html"),
        (status = 304, description = "The client has it, as `If-None-Match` says"),
    ),
)]
pub(super) async fn form(
    State(app): State<Arc<App>>,
    client: ClientIp,
    RawQuery(query): RawQuery,
    Query(values): Query<HashMap<String, String>>,
    Query(shown): Query<Shown>,
    request: HeaderMap,
) -> Result<Response, Error> {
    app.limits.forms.spend(client)?;
    if query.is_some_and(|query| query.len() > MAX_QUERY) {
        let problem = format!("the query is longer than {MAX_QUERY} bytes");
        return Err(Error::invalid(problem));
    }
    let page = |inline| {
        let sheet = app.assets.style();
        ShopPage::new(inline, &app.config.server, sheet).map_err(Error::invalid)
    };
    let page = shown.inline.map(page).transpose()?;
    let Served { listing, stale } = app.tokens.listing().await?;
    let form = app
        .renderer
        .form(Attributes::from(values), page, &listing)
        .await?;
    let mut response = form.response(&request);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HTML);
    headers.insert(CACHE_CONTROL, REVALIDATED);
    mark_stale(headers, stale);
    Ok(response)
}

impl From<Arc<NoForm>> for Error {
    fn from(error: Arc<NoForm>) -> Self {
        match &*error {
            NoForm::Attributes(error) => Self::invalid(error.to_string()),
            // Pages then request the listing, and say what is wrong with it.
            NoForm::TooLong | NoForm::Listing(_) => {
                tracing::debug!(%error, "no form");
                ProblemCode::NotFound.into()
            }
            NoForm::Failed(_) => Self::internal(error),
        }
    }
}

/// The tokens that a payment can be charged in
///
/// Those that are enabled for the project and that the create endpoint accepts, as the service lists them. One cached listing
/// serves all buyers. If a newer one can't be fetched within a second, or has no accepted token, the last one is served, up to
/// the age of the setting `token_stale_seconds`, with `Age` and `Warning: 110 - "Response is Stale"`.
#[utoipa::path(
    get,
    path = path::TOKENS,
    tag = PAGE,
    operation_id = "listTokens",
    responses(
        (status = 200, description = "The tokens", body = Vec<TokenRecord>),
        (status = 304, description = "The client has it, as `If-None-Match` says"),
    ),
)]
pub(super) async fn tokens(
    State(app): State<Arc<App>>,
    client: ClientIp,
    request: HeaderMap,
) -> Result<Response, Error> {
    app.limits.tokens.spend(client)?;
    let Served { listing, stale } = app.tokens.listing().await?;
    let mut response = listing.response(&request);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, JSON);
    mark_stale(headers, stale);
    Ok(response)
}

/// This document
#[utoipa::path(
    get,
    path = path::OPENAPI,
    tag = PAGE,
    operation_id = "readDocument",
    responses(
        (status = 200, description = "An OpenAPI document", body = Object),
        (status = 304, description = "The client has it, as `If-None-Match` says"),
    ),
)]
pub(super) async fn openapi(request: HeaderMap) -> Response {
    static DOCUMENT: LazyLock<Encoded> =
        LazyLock::new(|| Encoded::compressed(&super::openapi_document().into()));
    let mut response = DOCUMENT.response(&request);
    let headers = response.headers_mut();
    headers.extend(FOR_EVERY_ORIGIN);
    headers.insert(CACHE_CONTROL, REVALIDATED);
    headers.insert(CONTENT_TYPE, JSON);
    response
}

/// Marks a response from an old listing (RFC 9111, section 5.1, and RFC 7234, section 5.5.1).
fn mark_stale(headers: &mut HeaderMap, age: Option<Duration>) {
    if let Some(age) = age {
        headers.insert(AGE, age.as_secs().into());
        headers.insert(WARNING, STALE);
    }
}
