//! Rate limits per client address, in requests per minute (GCRA).
//!
//! Addresses are hashed with a secret seed into [`BUCKETS`] buckets, which bounds the memory.
//! Addresses in the same bucket share a limit.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::header::AUTHORIZATION;
use axum::middleware::Next;
use axum::response::Response;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::config::Config;
use crate::http::client_ip::ClientIp;
use crate::http::problems::{CredentialsRefused, Error};

/// A few megabytes at most. With a thousand concurrent clients, about two in a hundred share a
/// bucket.
const BUCKETS: u64 = 1 << 16;

pub(crate) struct Limits {
    trusted_proxies: usize,
    seed: RandomState,
    tokens: Budget,
    create: Budget,
    failures: Budget,
    /// The buckets that exceeded their limit of failures, and until when they are blocked.
    blocked: Mutex<HashMap<u64, Instant>>,
}

/// `None` means no limit.
struct Budget(Option<DefaultKeyedRateLimiter<u64>>);

impl Budget {
    fn per_minute(requests: u32) -> Self {
        let requests = NonZeroU32::new(requests);
        Self(requests.map(|requests| RateLimiter::keyed(Quota::per_minute(requests))))
    }

    /// Counts a request. Over the limit, returns the time to wait.
    fn spend(&self, bucket: u64) -> Result<(), Duration> {
        let Some(limiter) = &self.0 else {
            return Ok(());
        };
        let spent = limiter.check_key(&bucket);
        spent.map_err(|refused| refused.wait_time_from(DefaultClock::default().now()))
    }
}

impl Limits {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            trusted_proxies: config.server.trusted_proxies,
            seed: RandomState::new(),
            tokens: Budget::per_minute(config.limits.tokens),
            create: Budget::per_minute(config.limits.create),
            failures: Budget::per_minute(config.limits.failures),
            blocked: Mutex::default(),
        }
    }

    fn bucket(&self, request: &Request) -> u64 {
        let client = ClientIp::of(request, self.trusted_proxies);
        self.seed.hash_one(client) % BUCKETS
    }

    /// Limits how often an address requests the token listing.
    pub(crate) fn may_list_tokens(&self, request: &Request) -> Result<(), Error> {
        let bucket = self.bucket(request);
        if has_credentials(request) {
            self.is_blocked(bucket)?;
        }
        let spent = self.tokens.spend(bucket);
        spent.map_err(Error::TooManyRequests)
    }

    /// After too many failures even correct credentials are refused.
    fn is_blocked(&self, bucket: u64) -> Result<(), Error> {
        let blocked = self.blocked.lock();
        let mut blocked = blocked.unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        match blocked.get(&bucket) {
            Some(until) if *until > now => Err(Error::TooManyRequests(*until - now)),
            Some(_) => {
                blocked.remove(&bucket);
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn record_failure(&self, bucket: u64) {
        if let Err(wait) = self.failures.spend(bucket) {
            let blocked = self.blocked.lock();
            let mut blocked = blocked.unwrap_or_else(PoisonError::into_inner);
            blocked.insert(bucket, Instant::now() + wait);
        }
    }
}

/// Limits how often an address creates a payment.
pub(crate) async fn limit_creates(
    State(limits): State<Arc<Limits>>,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    let spent = limits.create.spend(limits.bucket(&request));
    spent.map_err(Error::TooManyRequests)?;
    Ok(next.run(request).await)
}

/// Limits how often an address sends wrong credentials to any route.
pub(crate) async fn limit_failures(
    State(limits): State<Arc<Limits>>,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    let bucket = limits.bucket(&request);
    if has_credentials(&request) {
        limits.is_blocked(bucket)?;
    }
    let response = next.run(request).await;
    if response.extensions().get::<CredentialsRefused>().is_some() {
        limits.record_failure(bucket);
    }
    Ok(response)
}

/// Credentials are in a header, in the query of an event stream, or in the path of the webhook.
fn has_credentials(request: &Request) -> bool {
    let query = request.uri().query().unwrap_or_default();
    request.headers().contains_key(AUTHORIZATION)
        || query.contains("receipt=")
        || request.uri().path().starts_with("/webhook/")
}
