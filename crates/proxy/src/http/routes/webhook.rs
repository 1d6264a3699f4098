//! `POST /webhook/{secret}`: receives the service's notifications of new payments (its document,
//! "Events").
//!
//! Neither a signature nor the payload is documented, so anyone who knows the URL can send
//! anything. A notification only triggers a poll of the service's list.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;

use crate::http::app::App;
use crate::http::body::MAX_BODY;
use crate::http::problems::Error;

pub(super) async fn post(
    State(app): State<Arc<App>>,
    Path(secret): Path<String>,
    body: Result<Bytes, BytesRejection>,
) -> Result<StatusCode, Error> {
    // Compare every secret, so that the response time does not reveal how close a guess came.
    let secrets = app.webhook_secrets.iter();
    if !secrets.fold(false, |found, known| found | known.matches(&secret)) {
        return Err(Error::NotFound);
    }
    let body = body.map_err(|rejection| {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            Error::PayloadTooLarge(MAX_BODY)
        } else {
            Error::InvalidRequest("the body ended early".to_owned())
        }
    })?;
    app.tracking.notified(&body).await?;
    Ok(StatusCode::OK)
}
