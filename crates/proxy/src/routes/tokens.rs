//! `GET /api/v1/rates/my-tokens`: the tokens enabled for the project, as the service lists them.

use std::sync::Arc;

use axum::extract::{Request, State};

use crate::app::App;
use crate::error::Error;
use crate::json::Json;

pub(super) async fn get(State(app): State<Arc<App>>, request: Request) -> Result<Json, Error> {
    app.limits.may_list_tokens(&request)?;
    Ok(Json(app.tokens.listing().await?))
}
