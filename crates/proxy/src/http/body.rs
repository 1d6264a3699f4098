//! JSON requests and responses. Responses of the service stay text, so that they are not
//! re-serialised.

use std::sync::Arc;

use axum::body::{Bytes, HttpBody as _};
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;

use crate::http::app::App;
use crate::http::problems::Error;

/// Far more than an order needs.
pub(crate) const MAX_BODY: usize = 16 << 10;

/// The body of a JSON request.
pub(crate) struct JsonBody(pub(crate) String);

impl FromRequest<Arc<App>> for JsonBody {
    type Rejection = Error;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Error> {
        let media_type = request.headers().get(CONTENT_TYPE);
        if !media_type.is_some_and(is_json) {
            return Err(Error::UnsupportedMediaType);
        }
        let length = request.body().size_hint().lower();
        if length > u64::try_from(MAX_BODY).unwrap_or(u64::MAX) {
            return Err(Error::PayloadTooLarge(MAX_BODY));
        }
        let body = Bytes::from_request(request, app);
        let body = tokio::time::timeout(app.body_timeout, body)
            .await
            .map_err(|_| Error::RequestTimeout)?
            .map_err(|rejection| {
                if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
                    Error::PayloadTooLarge(MAX_BODY)
                } else {
                    Error::InvalidRequest("the body ended early".to_owned())
                }
            })?;
        String::from_utf8(body.into())
            .map(Self)
            .map_err(|_| Error::InvalidRequest("the body is not UTF-8".to_owned()))
    }
}

/// Parses a request.
pub(crate) fn parse<T: DeserializeOwned>(json: &str) -> Result<T, Error> {
    serde_json::from_str(json).map_err(|error| Error::InvalidRequest(error.to_string()))
}

/// `application/json`, with or without parameters.
fn is_json(media_type: &HeaderValue) -> bool {
    let essence = media_type
        .to_str()
        .ok()
        .and_then(|text| text.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

/// A response that is JSON already.
pub(crate) struct Json(pub(crate) Bytes);

impl IntoResponse for Json {
    fn into_response(self) -> Response {
        ([(CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}
