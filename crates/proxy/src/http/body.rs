//! JSON requests and responses. Responses of the service stay text, so that they are not
//! re-serialised.

use std::sync::Arc;

use axum::body::{Bytes, HttpBody as _};
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;

use crate::error::Error;
use crate::error::parse;
use crate::http::app::App;

/// Far more than an order needs.
pub(crate) const MAX_BODY: usize = 16 << 10;

/// The whole body of a request: at most [`MAX_BODY`] bytes, which all arrive within the timeout for
/// requests. Every route reads its body with this extractor, or with one of the others here.
pub(crate) struct Body(pub(crate) Bytes);

/// A request as JSON.
pub(crate) struct JsonBody<T>(pub(crate) T);

/// The text of a JSON request.
pub(crate) struct JsonText(pub(crate) String);

impl FromRequest<Arc<App>> for Body {
    type Rejection = Error;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Error> {
        // Such a body need not arrive before it is refused.
        let length = request.body().size_hint().lower();
        if length > u64::try_from(MAX_BODY).unwrap_or(u64::MAX) {
            return Err(Error::PayloadTooLarge(MAX_BODY));
        }
        let timeout = app.config.server.request_timeout;
        let body = tokio::time::timeout(timeout, Bytes::from_request(request, app));
        match body.await {
            Ok(Ok(body)) => Ok(Self(body)),
            Ok(Err(rejection)) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                Err(Error::PayloadTooLarge(MAX_BODY))
            }
            Ok(Err(_)) => Err(Error::invalid("the body ended early")),
            Err(_) => Err(Error::RequestTimeout),
        }
    }
}

impl<T: DeserializeOwned> FromRequest<Arc<App>> for JsonBody<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Error> {
        let JsonText(json) = JsonText::from_request(request, app).await?;
        Ok(Self(parse(&json)?))
    }
}

impl FromRequest<Arc<App>> for JsonText {
    type Rejection = Error;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Error> {
        let media_type = request.headers().get(CONTENT_TYPE);
        if !media_type.is_some_and(is_json) {
            return Err(Error::UnsupportedMediaType);
        }
        let Body(body) = Body::from_request(request, app).await?;
        let text = String::from_utf8(body.into());
        text.map(Self)
            .map_err(|_| Error::invalid("the body is not UTF-8"))
    }
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
