//! `GET /api/v1/payment/events`: an event stream of all payments, for the merchant.
//!
//! The key is accepted only in the `Authorization` header, because URLs end up in logs and browser
//! histories.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::events::{event_stream, last_event_id};
use crate::http::app::App;
use crate::http::credentials::Merchant;
use crate::http::problems::Error;

pub(super) async fn get(
    State(app): State<Arc<App>>,
    _: Merchant,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let permit = app.streams.of_merchant()?;
    let events = app.tracking.watch_all(last_event_id(&headers)).await?;
    Ok(event_stream(events, permit))
}
