//! `GET /metrics`: the metrics for Prometheus.

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;

use crate::http::problems::Error;
use crate::metrics::Metrics;

/// `/metrics`, on an address of its own.
pub(crate) fn routes(metrics: Metrics) -> Router {
    Router::new()
        .route("/metrics", get(page))
        .with_state(metrics)
}

async fn page(State(metrics): State<Metrics>) -> Result<impl IntoResponse, Error> {
    const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let text = metrics.text().map_err(Error::internal)?;
    Ok(([(CONTENT_TYPE, OPEN_METRICS)], text))
}
