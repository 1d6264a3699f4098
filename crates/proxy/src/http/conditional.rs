//! Responses that a client may have already (RFC 9110, section 13).

use axum::body::Body;
use axum::http::header::{ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::encoding::Encoded;
use crate::encoding::content::Content;

/// The content in an encoding that the request accepts, or 304 if the client has it.
pub(crate) fn response(content: &Encoded<Content>, request: &HeaderMap) -> Response {
    let chosen = content.negotiate(request);
    let known = request.get(IF_NONE_MATCH);
    let known = known.and_then(|value| value.to_str().ok());
    let unchanged = known.is_some_and(|known| is_among(known, &chosen.content.etag));
    let mut response = if unchanged {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(chosen.content.bytes.clone()).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(ETAG, chosen.content.etag.clone());
    chosen.add_headers(headers);
    response
}

/// Whether an `If-None-Match` header contains this entity tag, compared weakly (RFC 9110, section
/// 13.1.2).
fn is_among(known: &str, etag: &HeaderValue) -> bool {
    known.split(',').map(str::trim).any(|known| {
        known == "*" || known.strip_prefix("W/").unwrap_or(known).as_bytes() == etag.as_bytes()
    })
}
