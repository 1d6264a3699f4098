//! The service's own routes, one file per endpoint, and their state.

mod cancel;
mod create;
mod list;
mod middleware;
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
    /// The base URL of the token listing and its logos.
    pub(crate) rates_base_url: String,
    pub(crate) webhook_client: reqwest::Client,
    /// Wakes the callers that wait for the result of a notification.
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

    /// Locks the state. Release the lock before waiting for anything.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        // Every change is atomic, so the data is valid even after a panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Resets the state to the initial one.
    pub(crate) fn reset(&self) {
        *self.state() = State {
            webhook: self.config.webhook.clone(),
            ..State::default()
        };
        self.settled.notify_waiters();
    }
}

/// The routes of the payments address: endpoints 2 to 4.
pub(crate) fn payments(service: &Arc<Service>) -> Router<Arc<Service>> {
    let endpoint = |endpoint, route| with_middleware(service, endpoint, route);
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

/// The routes of the rates address: endpoint 1 and the images.
pub(crate) fn rates(service: &Arc<Service>) -> Router<Arc<Service>> {
    Router::new()
        .route(
            path::TOKENS,
            with_middleware(service, Endpoint::Tokens, get(tokens::tokens)),
        )
        .route("/logos/{file}", get(logo::serve))
}

/// Wraps an endpoint in counters, faults and authentication.
fn with_middleware(
    service: &Arc<Service>,
    endpoint: Endpoint,
    route: MethodRouter<Arc<Service>>,
) -> MethodRouter<Arc<Service>> {
    route.route_layer(from_fn_with_state(
        (Arc::clone(service), endpoint),
        middleware::middleware,
    ))
}

/// Responds to requests without a route.
pub(crate) fn with_fallbacks(router: Router<Arc<Service>>, service: Arc<Service>) -> Router {
    router
        .fallback(|| async { Refusal::NotFound })
        .method_not_allowed_fallback(|| async { Refusal::MethodNotAllowed })
        .with_state(service)
}
