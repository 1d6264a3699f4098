//! `GET /api/v1/rates/my-tokens`: the tokens enabled for the project, as the service lists them.

use std::sync::Arc;

use axum::extract::State;

use crate::app::App;
use crate::error::Error;
use crate::json::Json;

pub(super) async fn get(State(app): State<Arc<App>>) -> Result<Json, Error> {
    Ok(Json(app.tokens.listing().await?))
}
