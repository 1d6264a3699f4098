//! Rejects requests whose headers are ambiguous, because two servers in a row might interpret them
//! differently (request smuggling).

use axum::extract::Request;
use axum::http::header::{
    AUTHORIZATION, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderName, TRANSFER_ENCODING,
};
use axum::http::{HeaderValue, Version};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::http::problems::Error;

/// Headers that may occur only once.
const AT_MOST_ONCE: [HeaderName; 5] = [
    HOST,
    AUTHORIZATION,
    CONTENT_TYPE,
    CONTENT_LENGTH,
    TRANSFER_ENCODING,
];

/// Rejects ambiguous requests and closes their connection, because it is uncertain where the next
/// request begins.
///
/// The connection is also closed after a chunked body. If a request has both `content-length` and
/// `transfer-encoding`, hyper reads the chunks and removes the length (RFC 9112, section 6.1), so
/// this can't be detected here; but nothing after it is ever parsed as a request.
pub(crate) async fn reject_ambiguous(request: Request, next: Next) -> Response {
    let checked = check(&request);
    let close = checked.is_err() || request.headers().contains_key(TRANSFER_ENCODING);
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(reason) => Error::InvalidRequest(reason).into_response(),
    };
    if close {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(CONNECTION, close);
    }
    response
}

fn check(request: &Request) -> Result<(), String> {
    let headers = request.headers();
    for name in AT_MOST_ONCE {
        if headers.get_all(&name).iter().nth(1).is_some() {
            return Err(format!("`{name}` was sent more than once"));
        }
    }
    // RFC 9112, section 3.2.
    if request.version() == Version::HTTP_11 && !headers.contains_key(HOST) {
        return Err("`host` is missing".to_owned());
    }
    Ok(())
}
