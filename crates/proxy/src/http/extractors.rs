//! What routes read from a request with the keys and limits of the [`App`].

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{self, FromRequestParts};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::{Credential, Error};
use crate::http::app::App;
use crate::http::audit::Audit;
use crate::http::client_ip::ClientIp;
use crate::http::credentials::{Caller, Merchant};

impl FromRequestParts<Arc<App>> for ClientIp {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        let proxies = &app.limits.trusted_proxies;
        Ok(proxies.client(&parts.headers, &parts.extensions))
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
