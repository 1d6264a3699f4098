//! Limits per client address, and of open event streams. A client that gets no stream polls instead.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use parking_lot::Mutex;
use tender_protocol::ProblemCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::Config;
use crate::error::{Credential, Error};
use crate::http::client_ip::TrustedProxies;
use crate::http::{App, Caller, ClientIp};
use crate::rate_limit::RateLimit;

/// Requests in progress of one address.
const MAX_IN_PROGRESS: usize = 100;

/// For so many payments that an address may create, one may be read, and one cancelled. With the default, its requests cost the
/// service 60 calls in the first minute, 20 reads and 20 cancellations, and then half of it.
const READS: u32 = 3;

/// `Retry-After` for an address with too many requests in progress.
const BUSY: Duration = Duration::from_secs(1);

/// Streams of the merchant beside those of buyers, so that receipts can't take them.
const MERCHANT_STREAMS: usize = 32;

pub(crate) struct Limits {
    pub(crate) trusted_proxies: TrustedProxies,
    /// How often an address requests the token listing.
    pub(crate) tokens: RateLimit,
    /// How often an address requests a rendered form: as often as `tokens`, because a page requests both.
    pub(crate) forms: RateLimit,
    /// How often an address asks for the payment of an order: as often, for the same reason.
    pub(crate) orders: RateLimit,
    /// How often an address has a payment read in the service's list, which takes one call once its page is known.
    pub(crate) reads: RateLimit,
    /// How often an address cancels or replaces a payment, which reads it, too, in two pages.
    pub(crate) cancels: RateLimit,
    /// How often the log says that an origin is refused.
    pub(crate) refused_origins: RateLimit,
    create: RateLimit,
    failures: RateLimit,
    in_progress: Arc<KeyedSemaphore<ClientIp>>,
    buyer_streams: Arc<Semaphore>,
    merchant_streams: Arc<Semaphore>,
    streams_per_payment: Arc<KeyedSemaphore<String>>,
    streams_per_address: Arc<KeyedSemaphore<ClientIp>>,
}

/// Permits one stream until it is dropped.
pub(crate) struct StreamPermit {
    _place: OwnedSemaphorePermit,
    /// Buyers only.
    _buyer: Option<(KeyedPermit<String>, KeyedPermit<ClientIp>)>,
}

impl Limits {
    pub(crate) fn new(config: &Config) -> Self {
        let streams = &config.tracking;
        // 0 disables streams, those of the merchant too.
        let merchants = MERCHANT_STREAMS * streams.max_streams.min(1);
        Self {
            trusted_proxies: TrustedProxies::new(config.server.trusted_proxies),
            tokens: RateLimit::per_minute(config.limits.tokens),
            forms: RateLimit::per_minute(config.limits.tokens),
            orders: RateLimit::per_minute(config.limits.tokens),
            reads: RateLimit::per_minute(config.limits.create.div_ceil(READS)),
            cancels: RateLimit::per_minute(config.limits.create.div_ceil(READS)),
            refused_origins: RateLimit::per_minute(1),
            create: RateLimit::per_minute(config.limits.create),
            failures: RateLimit::per_minute(config.limits.failures),
            in_progress: KeyedSemaphore::new(MAX_IN_PROGRESS),
            buyer_streams: semaphore(streams.max_streams),
            merchant_streams: semaphore(merchants),
            streams_per_payment: KeyedSemaphore::new(streams.max_streams_per_payment),
            streams_per_address: KeyedSemaphore::new(streams.max_streams_per_address),
        }
    }

    /// Permits a stream of one payment to a caller at this address.
    pub(crate) fn stream(&self, caller: &Caller, client: ClientIp) -> Result<StreamPermit, Error> {
        match caller {
            Caller::Merchant { .. } => self.merchant_stream(),
            Caller::Buyer(receipt) => {
                let permit = self.buyer_stream(&receipt.transaction_id, client);
                permit.ok_or(Error::Problem(ProblemCode::StreamsFull))
            }
        }
    }

    pub(crate) fn merchant_stream(&self) -> Result<StreamPermit, Error> {
        let place = Arc::clone(&self.merchant_streams).try_acquire_owned();
        Ok(StreamPermit {
            _place: place.map_err(|_| ProblemCode::StreamsFull)?,
            _buyer: None,
        })
    }

    fn buyer_stream(&self, transaction_id: &str, client: ClientIp) -> Option<StreamPermit> {
        let payment = transaction_id.to_owned();
        let payment = self.streams_per_payment.try_acquire(payment)?;
        let address = self.streams_per_address.try_acquire(client)?;
        let place = Arc::clone(&self.buyer_streams).try_acquire_owned();
        Some(StreamPermit {
            _place: place.ok()?,
            _buyer: Some((payment, address)),
        })
    }
}

fn semaphore(permits: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(permits.min(Semaphore::MAX_PERMITS)))
}

/// The address may create a payment now.
pub(crate) struct CreatePermit(pub(crate) ClientIp);

impl FromRequestParts<Arc<App>> for CreatePermit {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Error> {
        let Ok(client) = ClientIp::from_request_parts(parts, app).await;
        app.limits.create.spend(client)?;
        Ok(Self(client))
    }
}

/// Limits how many requests of an address are in progress, so that one client can't take all
/// connections with slow bodies, and how often it sends wrong credentials of a kind.
/// Right ones are never refused, because strangers may share the address of a shop or of its buyers.
pub(crate) async fn limit_address(
    State(app): State<Arc<App>>,
    client: ClientIp,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    let limits = &app.limits;
    let in_progress = limits.in_progress.try_acquire(client);
    let in_progress = in_progress.ok_or(Error::TooManyRequests(BUSY))?;
    let response = next.run(request).await;
    drop(in_progress);
    // Of a response to a wrong one.
    if let Some(kind) = response.extensions().get::<Credential>() {
        limits.failures.spend((client, *kind))?;
    }
    Ok(response)
}

/// A semaphore for each key: bounds how many permits each one holds. A key without permits takes no memory.
struct KeyedSemaphore<K> {
    /// Permits per key; 0 means no limit.
    limit: usize,
    held: Mutex<HashMap<K, usize>>,
}

/// Dropping it releases the permit.
struct KeyedPermit<K: Eq + Hash> {
    semaphore: Arc<KeyedSemaphore<K>>,
    key: K,
}

impl<K: Eq + Hash + Clone> KeyedSemaphore<K> {
    fn new(limit: usize) -> Arc<Self> {
        let held = Mutex::default();
        Arc::new(Self { limit, held })
    }

    /// Takes a permit; `None` if the key holds all of its permits.
    fn try_acquire(self: &Arc<Self>, key: K) -> Option<KeyedPermit<K>> {
        let mut held = self.held.lock();
        let count = held.entry(key.clone()).or_default();
        if self.limit != 0 && *count >= self.limit {
            return None;
        }
        *count += 1;
        let semaphore = Arc::clone(self);
        Some(KeyedPermit { semaphore, key })
    }
}

impl<K: Eq + Hash> Drop for KeyedPermit<K> {
    fn drop(&mut self) {
        let mut held = self.semaphore.held.lock();
        if let Some(count) = held.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_own_permits() {
        let semaphore = KeyedSemaphore::new(2);
        let first = semaphore.try_acquire("a").unwrap();
        let _second = semaphore.try_acquire("a").unwrap();
        assert!(semaphore.try_acquire("a").is_none());
        let other = semaphore.try_acquire("b").unwrap();
        drop(first);
        assert!(semaphore.try_acquire("a").is_some());
        drop(other);
        assert_eq!(semaphore.held.lock().len(), 1);
    }
}
