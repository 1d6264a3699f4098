//! What routes read from a request: its body, query and path, and who sent it. A response that is JSON already.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::{Bytes, HttpBody as _};
use axum::extract::rejection::PathRejection;
use axum::extract::{self, FromRequest, FromRequestParts, Path, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tender_ledger::{MAX_ID_LENGTH, is_valid_id};
use tender_protocol::ProblemCode;
use utoipa::IntoParams;

use crate::error::{Credential, Error, parse};
use crate::http::{App, Audit, Caller, ClientIp, Merchant};
use crate::store::attempts::MarkDigest;

/// Far more than an order needs. The text of [`ProblemCode::PayloadTooLarge`] names it.
pub(crate) const MAX_BODY: usize = 16 << 10;

/// The whole body of a request: at most [`MAX_BODY`] bytes, which all arrive within the timeout for
/// requests. Every route reads its body with this extractor, or with one of the others here.
pub(crate) struct Body(pub(crate) Bytes);

pub(crate) struct JsonBody<T>(pub(crate) T);

impl FromRequest<Arc<App>> for Body {
    type Rejection = Error;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Error> {
        // Such a body need not arrive before it is refused.
        let length = request.body().size_hint().lower();
        if length > u64::try_from(MAX_BODY).unwrap_or(u64::MAX) {
            return Err(ProblemCode::PayloadTooLarge.into());
        }
        let timeout = app.config.server.request_timeout;
        let body = tokio::time::timeout(timeout, Bytes::from_request(request, app));
        match body.await {
            Ok(Ok(body)) => Ok(Self(body)),
            Ok(Err(rejection)) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                Err(ProblemCode::PayloadTooLarge.into())
            }
            Ok(Err(_)) => Err(Error::invalid("the body ended early")),
            Err(_) => Err(ProblemCode::RequestTimeout.into()),
        }
    }
}

impl<T: DeserializeOwned> FromRequest<Arc<App>> for JsonBody<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Error> {
        let media_type = request.headers().get(CONTENT_TYPE);
        if !media_type.is_some_and(is_json) {
            return Err(ProblemCode::UnsupportedMediaType.into());
        }
        let Body(body) = Body::from_request(request, app).await?;
        let text = str::from_utf8(&body).map_err(|_| Error::invalid("the body is not UTF-8"))?;
        Ok(Self(parse(text)?))
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

/// A response that is JSON already: those of the service stay text, so that they are not re-serialised.
pub(crate) struct RawJson(pub(crate) Bytes);

impl IntoResponse for RawJson {
    fn into_response(self) -> Response {
        ([(CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}

impl FromRequestParts<Arc<App>> for ClientIp {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        let proxies = app.config.server.trusted_proxies;
        Ok(Self::of(&parts.headers, &parts.extensions, proxies))
    }
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Error> {
        let caller = app.access.load().caller(&parts.headers)?;
        parts
            .extensions
            .get_or_insert_default::<Audit>()
            .caller(&caller);
        Ok(caller)
    }
}

impl FromRequestParts<Arc<App>> for Merchant {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Error> {
        match Caller::from_request_parts(parts, app).await? {
            Caller::Merchant { .. } => Ok(Self),
            Caller::Buyer(_) => Err(Error::CredentialsInvalid(Credential::Receipt)),
        }
    }
}

/// The query of a request. It may have each parameter once, unless `T` is a list.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        match extract::Query::try_from_uri(&parts.uri) {
            Ok(extract::Query(values)) => Ok(Self(values)),
            Err(rejection) => Err(Error::invalid(rejection.body_text())),
        }
    }
}

/// A transactionId that a client sent, which is short and has no control characters, so that it can be stored, compared
/// and logged. As an extractor it is a parameter of the path, and the audit log gets it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, IntoParams)]
#[into_params(parameter_in = Path, names("transactionId"))]
pub(crate) struct PaymentId(
    /// The payment, 1 to 256 bytes without control characters.
    String,
);

impl PaymentId {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for PaymentId {
    type Error = Error;

    fn try_from(id: String) -> Result<Self, Error> {
        if is_valid_id(&id) {
            Ok(Self(id))
        } else {
            Err(invalid())
        }
    }
}

impl From<PaymentId> for String {
    fn from(PaymentId(id): PaymentId) -> Self {
        id
    }
}

/// The parameters of the path of a payment.
#[derive(Deserialize)]
struct OfPayment {
    #[serde(rename = "transactionId")]
    transaction_id: String,
    #[serde(default)]
    digest: String,
}

impl OfPayment {
    async fn of<S: Send + Sync>(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let path: Result<Path<Self>, PathRejection> = Path::from_request_parts(parts, state).await;
        // Percent-encoded bytes that are not UTF-8.
        path.map(|Path(of)| of).map_err(|_| invalid())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PaymentId {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let id = OfPayment::of(parts, state).await?.transaction_id;
        let id = Self::try_from(id)?;
        let audit = parts.extensions.get_or_insert_default::<Audit>();
        audit.payment(&id.0);
        Ok(id)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for MarkDigest {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let digest = OfPayment::of(parts, state).await?.digest;
        let rule = "`digest` must be a SHA-256 in 64 hexadecimal digits, without capitals";
        Self::parse(digest).ok_or_else(|| Error::invalid(rule))
    }
}

fn invalid() -> Error {
    Error::InvalidRequest(format!(
        "`transactionId` must be 1 to {MAX_ID_LENGTH} bytes of UTF-8 without control characters"
    ))
}
