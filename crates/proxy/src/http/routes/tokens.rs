//! `GET /api/v1/rates/my-tokens`: the tokens enabled for the project, as the service lists them.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{AGE, CONTENT_TYPE, WARNING};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;

use crate::error::Error;
use crate::http::app::App;
use crate::service::tokens::Served;

/// Marks a listing that is served because the service fails.
const STALE: HeaderValue = HeaderValue::from_static(r#"110 - "Response is Stale""#);

pub(super) async fn get(State(app): State<Arc<App>>, request: Request) -> Result<Response, Error> {
    app.limits.may_list_tokens(&request)?;
    let Served { listing, stale } = app.tokens.listing().await?;
    let mut response = listing.response(request.headers());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    mark_stale(headers, stale);
    Ok(response)
}

/// Marks a response from an old listing (RFC 9111, section 5.1, and RFC 7234, section 5.5.1).
pub(super) fn mark_stale(headers: &mut HeaderMap, age: Option<Duration>) {
    if let Some(age) = age {
        headers.insert(AGE, age.as_secs().into());
        headers.insert(WARNING, STALE);
    }
}
