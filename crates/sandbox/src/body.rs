//! Reads the JSON body of a request, whatever its `Content-Type`.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;

use crate::refusal::Refusal;

/// The body of a request, parsed as JSON.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let bytes = Bytes::from_request(request, state)
            .await
            .map_err(|rejection| Refusal::UnreadableBody {
                status: rejection.status(),
                reason: rejection.body_text(),
            })?;
        parse(&bytes).map(Self)
    }
}

/// Parses JSON.
pub(crate) fn parse<T: DeserializeOwned>(json: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(json).map_err(|error| Refusal::InvalidJson(error.to_string()))
}
