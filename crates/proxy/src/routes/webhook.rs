//! `POST /webhook/{secret}`: where the service announces payments (its document, "Events").
//!
//! Neither signature nor payload is documented: whoever knows the address may send anything, and it is
//! no more than a reason to read the service's list.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;

use crate::app::App;
use crate::error::Error;
use crate::json::MAX_BODY;

pub(super) async fn post(
    State(app): State<Arc<App>>,
    Path(secret): Path<String>,
    body: Result<Bytes, BytesRejection>,
) -> Result<StatusCode, Error> {
    // Every secret is compared, so that the time tells nothing about which one came close.
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
