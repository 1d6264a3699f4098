//! Limits per client address.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;

use crate::config::Config;
use crate::error::Error;
use crate::http::app::App;
use crate::http::client_ip::{ClientIp, TrustedProxies};
use crate::http::keyed_semaphore::KeyedSemaphore;
use crate::http::problems::CredentialsRefused;
use crate::rate_limit::RateLimit;

/// Requests in progress of one address.
const MAX_IN_PROGRESS: usize = 100;

/// `Retry-After` for an address with too many requests in progress.
const BUSY: Duration = Duration::from_secs(1);

pub(crate) struct Limits {
    pub(crate) trusted_proxies: TrustedProxies,
    /// How often an address requests the token listing.
    pub(crate) tokens: RateLimit,
    /// How often an address requests a rendered form: as often as `tokens`, because a page requests both.
    pub(crate) forms: RateLimit,
    /// How often an address asks for the payment of an order: as often, for the same reason.
    pub(crate) orders: RateLimit,
    create: RateLimit,
    failures: RateLimit,
    in_progress: Arc<KeyedSemaphore<ClientIp>>,
}

impl Limits {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            trusted_proxies: TrustedProxies::new(config.server.trusted_proxies),
            tokens: RateLimit::per_minute(config.limits.tokens),
            forms: RateLimit::per_minute(config.limits.tokens),
            orders: RateLimit::per_minute(config.limits.tokens),
            create: RateLimit::per_minute(config.limits.create),
            failures: RateLimit::per_minute(config.limits.failures),
            in_progress: KeyedSemaphore::new(MAX_IN_PROGRESS),
        }
    }

    /// The client that sent a request.
    pub(crate) fn client(&self, request: &Request) -> ClientIp {
        let proxies = &self.trusted_proxies;
        proxies.client(request.headers(), request.extensions())
    }
}

/// The address may create a payment now.
pub(crate) struct CreatePermit;

impl FromRequestParts<Arc<App>> for CreatePermit {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Error> {
        let Ok(client) = ClientIp::from_request_parts(parts, app).await;
        app.limits.create.spend(client)?;
        Ok(Self)
    }
}

/// Limits how many requests of an address are in progress, so that one client can't take all
/// connections with slow bodies, and how often it sends wrong credentials of a kind.
/// Right ones are never refused, because strangers may share the address of a shop or of its buyers.
pub(crate) async fn limit_address(
    State(app): State<Arc<App>>,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    let limits = &app.limits;
    let client = limits.client(&request);
    let in_progress = limits.in_progress.try_acquire(client);
    let in_progress = in_progress.ok_or(Error::TooManyRequests(BUSY))?;
    let response = next.run(request).await;
    drop(in_progress);
    if let Some(CredentialsRefused(kind)) = response.extensions().get() {
        limits.failures.spend((client, *kind))?;
    }
    Ok(response)
}
