//! `GET /healthz` and `GET /readyz`: for the operator's supervisor and load balancer.

use std::sync::Arc;

use axum::extract::State;

use crate::app::App;
use crate::error::Error;

/// The process answers: restart it when this does not.
pub(super) async fn healthz() -> &'static str {
    "ok\n"
}

/// The ledger answers, and the service too: its token listing is at most as old as the cache allows, and
/// its payment endpoints did not fail several times in a row.
pub(super) async fn readyz(State(app): State<Arc<App>>) -> Result<&'static str, Error> {
    app.payments.ready().await?;
    app.service.is_available()?;
    app.tokens.listing().await?;
    Ok("ready\n")
}
