//! `GET /v1/...`: the files of the widget, for pages of any origin.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderName, IF_NONE_MATCH,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use crate::http::app::App;
use crate::http::problems::Error;

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

pub(super) async fn get(
    State(app): State<Arc<App>>,
    uri: Uri,
    request: HeaderMap,
) -> Result<Response, Error> {
    let path = uri.path().strip_prefix("/v1/").unwrap_or_default();
    let asset = app.assets.get(path).ok_or(Error::NotFound)?;
    let chosen = asset.content.negotiate(&request);
    let content = chosen.content;

    let known = request.get(IF_NONE_MATCH);
    let known = known.and_then(|value| value.to_str().ok());
    let unchanged = known.is_some_and(|known| is_among(known, &content.etag));
    let mut response = if unchanged {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(content.bytes.clone()).into_response()
    };
    let headers = response.headers_mut();
    headers.extend(FOR_EVERY_ORIGIN);
    headers.insert(ETAG, content.etag.clone());
    chosen.add_headers(headers);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(asset.cache_control));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(asset.content_type));
    Ok(response)
}

/// Whether an `If-None-Match` header contains this entity tag, compared weakly (RFC 9110, section
/// 13.1.2).
fn is_among(known: &str, etag: &HeaderValue) -> bool {
    known.split(',').map(str::trim).any(|known| {
        known == "*" || known.strip_prefix("W/").unwrap_or(known).as_bytes() == etag.as_bytes()
    })
}
