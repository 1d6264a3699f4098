//! `GET /api/v1/payment/{transactionId}`: the latest record of a payment, for the buyer with its
//! receipt or the merchant.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::HeaderMap;

use crate::http::app::App;
use crate::http::body::Json;
use crate::http::problems::Error;

pub(super) async fn get(
    State(app): State<Arc<App>>,
    Path(transaction_id): Path<String>,
    headers: HeaderMap,
) -> Result<Json, Error> {
    app.access
        .caller(&headers)?
        .require_access(&transaction_id)?;
    let record = app.tracking.latest(&transaction_id).await?;
    Ok(Json(record.into()))
}
