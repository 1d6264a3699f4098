//! Endpoint 2, "List payments".

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use serde::Deserialize;
use tender_protocol::{PAGE_SIZE, Payment};

use super::Service;
use crate::refusal::Refusal;

/// The document does not say where `page` is sent; the sandbox reads the query string.
#[derive(Deserialize)]
pub(super) struct Parameters {
    page: Option<String>,
}

pub(super) async fn list(
    State(service): State<Arc<Service>>,
    parameters: Result<Query<Parameters>, QueryRejection>,
) -> Result<Json<Vec<Payment>>, Refusal> {
    let Query(Parameters { page }) =
        parameters.map_err(|rejection| Refusal::field_is("page", rejection.body_text()))?;
    let first = service.config.first_page;
    let page: usize = match page {
        None => first,
        Some(page) => page
            .parse()
            .ok()
            .filter(|page| *page >= first)
            .ok_or_else(|| {
                Refusal::field_is(
                    "page",
                    format!("it must be a whole number, {first} or more"),
                )
            })?,
    };
    let state = service.state();
    let payments = state
        .payments
        .iter()
        .skip((page - first).saturating_mul(PAGE_SIZE))
        .take(PAGE_SIZE)
        .map(|entry| entry.payment.clone())
        .collect();
    Ok(Json(payments))
}
