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

/// Responds 200 if this instance can serve buyers: it is not stopping, the database works, and the
/// token listing is known. Whether the payment service works is the same for all instances, so a
/// load balancer need not know. The body says so in test mode.
async fn readyz(State(app): State<Arc<App>>) -> Result<&'static str, Error> {
    if app.stop.is_cancelled() {
        return Err(Error::Stopping);
    }
    app.ledger.ready().await?;
    app.tokens.ready().await?;
    Ok(if app.test_mode {
        "ready, in test mode\n"
    } else {
        "ready\n"
    })
}
