//! The style sheet of the pages.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;

use crate::http::conditional;
use crate::rendering::hosted::STYLE;

/// Its path, with a hash of its content.
pub(in super::super) fn path() -> &'static str {
    &STYLE.path
}

pub(in super::super) async fn get(headers: HeaderMap) -> Response {
    let mut response = conditional::response(&STYLE.content, &headers);
    let headers = response.headers_mut();
    let immutable = HeaderValue::from_static("public, max-age=31536000, immutable");
    headers.insert(CACHE_CONTROL, immutable);
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/css; charset=utf-8"),
    );
    response
}
