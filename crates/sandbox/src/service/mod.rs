//! The service's own routes, one file per endpoint, and the state that they share.

mod cancel;
mod create;
mod exchange;
mod list;
mod tokens;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, get, post};
use tender_protocol::path;
use tokio::sync::Notify;

use crate::config::Config;
use crate::fault::Endpoint;
use crate::logo;
use crate::refusal::Refusal;
use crate::state::State;

/// The service behind both addresses.
pub(crate) struct Service {
    pub(crate) config: Config,
    /// Where the token listing and its logos are reached.
    pub(crate) rates_base_url: String,
    pub(crate) webhook_client: reqwest::Client,
    /// Wakes those who wait for a notification to be settled.
    pub(crate) settled: Notify,
    state: Mutex<State>,
}

impl Service {
    pub(crate) fn new(
        config: Config,
        rates_base_url: String,
        webhook_client: reqwest::Client,
    ) -> Arc<Self> {
        let service = Self {
            config,
            rates_base_url,
            webhook_client,
            settled: Notify::new(),
            state: Mutex::default(),
        };
        service.reset();
        Arc::new(service)
    }

    /// The state, locked: let go of it before you wait for anything.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        // Each change is made in one step, so a panic elsewhere leaves nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// As it was on the first day.
    pub(crate) fn reset(&self) {
        *self.state() = State {
            webhook: self.config.webhook.clone(),
            ..State::default()
        };
        self.settled.notify_waiters();
    }
}

/// The payments address: endpoints 2 to 4.
pub(crate) fn payments(service: &Arc<Service>) -> Router<Arc<Service>> {
    let endpoint = |endpoint, route| with_exchange(service, endpoint, route);
    Router::new()
        .route(path::LIST, endpoint(Endpoint::List, get(list::list)))
        .route(
            path::CANCEL,
            endpoint(Endpoint::Cancel, post(cancel::cancel)),
        )
        .route(
            path::PAYMENT,
            endpoint(Endpoint::Create, post(create::create)),
        )
}

/// The rates address: endpoint 1, and the images that it names.
pub(crate) fn rates(service: &Arc<Service>) -> Router<Arc<Service>> {
    Router::new()
        .route(
            path::TOKENS,
            with_exchange(service, Endpoint::Tokens, get(tokens::tokens)),
        )
        .route("/logos/{file}", get(logo::serve))
}

/// Wraps one endpoint in its counters, its faults and its authentication.
fn with_exchange(
    service: &Arc<Service>,
    endpoint: Endpoint,
    route: MethodRouter<Arc<Service>>,
) -> MethodRouter<Arc<Service>> {
    route.route_layer(from_fn_with_state(
        (Arc::clone(service), endpoint),
        exchange::exchange,
    ))
}

/// Answers what no route takes.
pub(crate) fn with_refusals(router: Router<Arc<Service>>, service: Arc<Service>) -> Router {
    router
        .fallback(|| async { Refusal::NotFound })
        .method_not_allowed_fallback(|| async { Refusal::MethodNotAllowed })
        .with_state(service)
}
