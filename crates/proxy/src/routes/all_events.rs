//! `GET /api/v1/payment/events`: a stream of what happens to all payments, for the merchant.
//!
//! The key stands in the `Authorization` header and nowhere else: addresses end up in logs and
//! histories.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::events::{event_stream, last_event_id};
use crate::app::App;
use crate::error::Error;

pub(super) async fn get(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    app.access.caller(&headers)?.require_merchant()?;
    let body = app.tracking.watch_all(last_event_id(&headers)).await?;
    Ok(event_stream(body))
}
