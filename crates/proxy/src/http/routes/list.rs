//! `GET /api/v1/payment/list?page=N`: the service's list of payments, for the merchant.
//!
//! `page` starts at 1, whatever number the service gives its first page; 1 is the default. The
//! records of the service's response gain their `state` and are unchanged otherwise. Its response to
//! a page past the end is not documented: if it refuses one, the result is an empty list.

use std::num::NonZeroU32;
use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use serde::Deserialize;

use crate::http::app::App;
use crate::http::body::Json;
use crate::http::credentials::Merchant;
use crate::http::problems::Error;

#[derive(Deserialize)]
pub(crate) struct Page {
    pub(crate) page: Option<NonZeroU32>,
}

pub(super) async fn get(
    State(app): State<Arc<App>>,
    _: Merchant,
    query: Result<Query<Page>, QueryRejection>,
) -> Result<Json, Error> {
    let rule = |_| Error::invalid("`page` must be a whole number, 1 or more, given once");
    let Query(Page { page }) = query.map_err(rule)?;
    let page = page.map_or(0, |page| page.get() - 1);
    match app.service.list(page).await {
        Err(error) if page > 0 && error.is_past_the_end() => Ok(Json("[]".into())),
        list => Ok(Json(app.tracking.with_states(list?).await?.into())),
    }
}
