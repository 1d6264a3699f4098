//! Rate limits per client address, in requests per minute (GCRA).
//!
//! Addresses are hashed with a secret seed into [`BUCKETS`] buckets, which bounds the memory.
//! Addresses in the same bucket share a limit.

use std::hash::{BuildHasher, Hash, RandomState};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{Extensions, HeaderMap};
use axum::middleware::Next;
use axum::response::Response;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::config::Config;
use crate::http::client_ip::{ClientIp, TrustedProxies};
use crate::http::credential::Credential;
use crate::http::keyed_semaphore::KeyedSemaphore;
use crate::http::problems::{CredentialsRefused, Error};

/// A few megabytes at most. With a thousand concurrent clients, about two in a hundred share a
/// bucket.
const BUCKETS: u64 = 1 << 16;

/// `Retry-After` for an address with too many requests in progress.
const BUSY: Duration = Duration::from_secs(1);

pub(crate) struct Limits {
    trusted_proxies: TrustedProxies,
    seed: RandomState,
    tokens: Budget<u64>,
    /// As many as of `tokens`, because a page requests both.
    forms: Budget<u64>,
    create: Budget<u64>,
    failures: Budget<(u64, Credential)>,
    in_progress: Arc<KeyedSemaphore<ClientIp>>,
}

/// `None` means no limit.
struct Budget<K: Hash + Eq + Clone>(Option<DefaultKeyedRateLimiter<K>>);

impl<K: Hash + Eq + Clone> Budget<K> {
    fn per_minute(requests: u32) -> Self {
        let requests = NonZeroU32::new(requests);
        Self(requests.map(|requests| RateLimiter::keyed(Quota::per_minute(requests))))
    }

    /// Counts a request. Over the limit, the error has the time to wait.
    fn spend(&self, key: &K) -> Result<(), Error> {
        let Some(limiter) = &self.0 else {
            return Ok(());
        };
        let spent = limiter.check_key(key);
        let now = || DefaultClock::default().now();
        spent.map_err(|refused| Error::TooManyRequests(refused.wait_time_from(now())))
    }
}

impl Limits {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            trusted_proxies: TrustedProxies::new(config.server.trusted_proxies),
            seed: RandomState::new(),
            tokens: Budget::per_minute(config.limits.tokens),
            forms: Budget::per_minute(config.limits.tokens),
            create: Budget::per_minute(config.limits.create),
            failures: Budget::per_minute(config.limits.failures),
            in_progress: KeyedSemaphore::new(config.server.max_connections_per_address),
        }
    }

    /// The client that sent a request with these headers and extensions.
    pub(crate) fn client(&self, headers: &HeaderMap, extensions: &Extensions) -> ClientIp {
        self.trusted_proxies.client(headers, extensions)
    }

    /// Whether requests come through a reverse proxy of the operator.
    pub(crate) fn has_trusted_proxies(&self) -> bool {
        self.trusted_proxies.exist()
    }

    fn client_of(&self, request: &Request) -> ClientIp {
        self.client(request.headers(), request.extensions())
    }

    fn bucket(&self, request: &Request) -> u64 {
        self.bucket_of(self.client_of(request))
    }

    fn bucket_of(&self, client: ClientIp) -> u64 {
        self.seed.hash_one(client) % BUCKETS
    }

    /// Limits how often an address requests the token listing.
    pub(crate) fn may_list_tokens(&self, request: &Request) -> Result<(), Error> {
        self.tokens.spend(&self.bucket(request))
    }

    /// Limits how often an address requests a rendered form.
    pub(crate) fn may_render(&self, request: &Request) -> Result<(), Error> {
        self.forms.spend(&self.bucket(request))
    }
}

/// Limits how often an address creates a payment.
pub(crate) async fn limit_creates(
    State(limits): State<Arc<Limits>>,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    limits.create.spend(&limits.bucket(&request))?;
    Ok(next.run(request).await)
}

/// Limits how many requests of an address are in progress, because behind a trusted proxy its
/// connections can't be told apart, and how often it sends wrong credentials of a kind. Right ones
/// are never refused, because strangers may share the address of a shop or of its buyers.
pub(crate) async fn limit_address(
    State(limits): State<Arc<Limits>>,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    let client = limits.client_of(&request);
    let in_progress = limits.in_progress.try_acquire(client);
    let in_progress = in_progress.ok_or(Error::TooManyRequests(BUSY))?;
    let response = next.run(request).await;
    drop(in_progress);
    if let Some(CredentialsRefused(kind)) = response.extensions().get() {
        limits.failures.spend(&(limits.bucket_of(client), *kind))?;
    }
    Ok(response)
}
