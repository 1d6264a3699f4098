//! `GET /metrics`: the metrics for Prometheus.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;

use tender_protocol::ledger::Reason;

use crate::http::app::App;
use crate::http::problems::Error;

/// The reasons that are counted. Late duplicates have a metric of their own.
const COUNTED: [Reason; 3] = [
    Reason::CreateUnanswered,
    Reason::CreateContradictory,
    Reason::CancelUnanswered,
];

/// `/metrics`, on the address for the operator.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/metrics", get(page))
}

async fn page(State(app): State<Arc<App>>) -> Result<impl IntoResponse, Error> {
    const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    count_unresolved(&app).await;
    if let Err(error) = app.deliveries.count().await {
        tracing::warn!(%error, "can't count the notifications");
    }
    let text = app.metrics.text().map_err(Error::internal)?;
    Ok(([(CONTENT_TYPE, OPEN_METRICS)], text))
}

/// Counts the orders with an unknown outcome. If the database fails, the last numbers stay: the
/// other metrics are needed most at that time.
async fn count_unresolved(app: &App) {
    match app.ledger.store().count_unresolved().await {
        Ok(counts) => {
            let count = |reason: Reason| {
                let counted = counts.iter().find(|(counted, _)| *counted == reason);
                (reason.as_str(), counted.map_or(0, |(_, count)| *count))
            };
            app.metrics.unresolved(COUNTED.map(count));
        }
        Err(error) => tracing::warn!(%error, "can't count the unresolved orders"),
    }
}
