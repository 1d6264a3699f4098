//! `GET /v1/...`: the files of the widget, for pages of any origin.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::response::Response;

use crate::error::Error;
use crate::http::app::App;

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
    let mut response = asset.content.response_unless_known(&request);
    let headers = response.headers_mut();
    headers.extend(FOR_EVERY_ORIGIN);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(asset.cache_control));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(asset.content_type));
    Ok(response)
}
