//! `GET /healthz` and `GET /readyz`: health checks for a supervisor and a load balancer.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::routing::get;

use crate::http::app::App;
use crate::http::problems::Error;

/// Both routes.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
}

/// Responds while the process is alive. Restart the process if it does not.
async fn healthz() -> &'static str {
    "ok\n"
}

/// Responds 200 if the database works, the circuit breakers for payments and for the token listing
/// are closed, and the token listing is cached or can be fetched.
async fn readyz(State(app): State<Arc<App>>) -> Result<&'static str, Error> {
    app.payments.ready().await?;
    app.service.is_available()?;
    app.tokens.listing().await?;
    Ok("ready\n")
}
