//! What the widget in a page loads: its files, its form as HTML, and the token listing.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{RawQuery, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, AGE, CACHE_CONTROL, CONTENT_TYPE, HeaderName, WARNING,
};
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::response::Response;

use crate::error::Error;
use crate::http::app::App;
use crate::http::client_ip::ClientIp;
use crate::http::extractors::Query;
use crate::rendering::{Attributes, NoForm};
use crate::service::tokens::Served;

/// Modules and their requests need CORS. Pages with cross-origin isolation need the other headers.
const FOR_EVERY_ORIGIN: [(HeaderName, HeaderValue); 3] = [
    (ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*")),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
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

/// `GET /v1/...`: the files of the widget, for pages of any origin.
pub(super) async fn file(
    State(app): State<Arc<App>>,
    uri: Uri,
    request: HeaderMap,
) -> Result<Response, Error> {
    let path = uri.path().strip_prefix("/v1/").unwrap_or_default();
    let asset = app.assets.get(path).ok_or(Error::NotFound)?;
    let mut response = asset.content.response_unless_known(&request);
    let headers = response.headers_mut();
    headers.extend(FOR_EVERY_ORIGIN);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(asset.cache_control));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(asset.content_type));
    Ok(response)
}

/// `GET /v1/checkout.html?token=...`: the widget's form as HTML, which its loader shows until the module is loaded.
///
/// The query has the attributes of the element that change what the form shows. It is for display only: the price that
/// counts is in the signed order.
pub(super) async fn form(
    State(app): State<Arc<App>>,
    client: ClientIp,
    RawQuery(query): RawQuery,
    Query(values): Query<HashMap<String, String>>,
    request: HeaderMap,
) -> Result<Response, Error> {
    app.limits.forms.spend(client)?;
    if query.is_some_and(|query| query.len() > MAX_QUERY) {
        let problem = format!("the query is longer than {MAX_QUERY} bytes");
        return Err(Error::invalid(problem));
    }
    let Served { listing, stale } = app.tokens.listing().await?;
    let form = app
        .renderer
        .form(Attributes::from(values), &listing)
        .await?;
    let mut response = form.response_unless_known(&request);
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
                Self::NotFound
            }
            NoForm::Failed(_) => Self::internal(error),
        }
    }
}

/// `GET /api/v1/rates/my-tokens`: the tokens enabled for the project, as the service lists them.
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

/// Marks a response from an old listing (RFC 9111, section 5.1, and RFC 7234, section 5.5.1).
fn mark_stale(headers: &mut HeaderMap, age: Option<Duration>) {
    if let Some(age) = age {
        headers.insert(AGE, age.as_secs().into());
        headers.insert(WARNING, STALE);
    }
}
