//! `GET /healthz` and `GET /readyz`, health checks for a supervisor and a load balancer, and `GET /metrics` for Prometheus.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use tender_protocol::ProblemCode;
use tender_protocol::ledger::Reason;

use crate::error::Error;
use crate::http::{App, OPERATOR};

const TEXT: &str = "text/plain";

/// The reasons that one metric counts. Late duplicates have another one.
const COUNTED: [Reason; 4] = [
    Reason::CreateUnanswered,
    Reason::CreateContradictory,
    Reason::CancelUnanswered,
    Reason::ListContradictory,
];

/// Whether the process is alive
///
/// Restart it if it does not respond.
#[utoipa::path(
    get,
    path = "/healthz",
    tag = OPERATOR,
    operation_id = "isAlive",
    responses((status = 200, description = "It is", body = String, content_type = TEXT)),
)]
pub(super) async fn healthz() -> &'static str {
    "ok\n"
}

/// Whether this instance can serve buyers
///
/// Responds 200 if this instance can serve buyers: it is not stopping, the database works, and the
/// token listing is known. Whether the payment service works is the same for all instances, so a
/// load balancer need not know. The body says so in test mode.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = OPERATOR,
    operation_id = "isReady",
    responses((status = 200, description = "It can", body = String, content_type = TEXT)),
)]
pub(super) async fn readyz(State(app): State<Arc<App>>) -> Result<&'static str, Error> {
    if app.draining.is_cancelled() || app.stop.is_cancelled() {
        return Err(ProblemCode::Stopping.into());
    }
    app.store.database.ready().await?;
    app.tokens.ready().await?;
    Ok(if app.is_test() {
        "ready, in test mode\n"
    } else {
        "ready\n"
    })
}

/// Metrics for Prometheus
///
/// Only at the address in `metrics_listen`. If the database fails, the last counts stay: the other metrics are needed
/// most at that time.
#[utoipa::path(
    get,
    path = "/metrics",
    tag = OPERATOR,
    operation_id = "readMetrics",
    responses((status = 200, description = "The metrics", body = String, content_type = "application/openmetrics-text")),
)]
pub(super) async fn metrics(State(app): State<Arc<App>>) -> Result<impl IntoResponse, Error> {
    const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    match app.store.count_unresolved().await {
        Ok(counts) => {
            let count = |reason| {
                let counted = counts.iter().find(|(counted, _)| *counted == reason);
                counted.map_or(0, |(_, count)| *count)
            };
            let counted = COUNTED.map(|reason| (reason.as_str(), count(reason)));
            app.metrics.unresolved(counted);
            app.metrics
                .late_duplicates
                .set(count(Reason::LateDuplicate));
        }
        Err(error) => tracing::warn!(%error, "can't count the unresolved orders"),
    }
    if let Err(error) = app.deliveries.count().await {
        tracing::warn!(%error, "can't count the notifications");
    }
    let text = app.metrics.text().map_err(Error::internal)?;
    Ok(([(CONTENT_TYPE, OPEN_METRICS)], text))
}
