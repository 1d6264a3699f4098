//! The token listing, cached for all buyers.

mod cache;

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use axum::body::Bytes;
use tokio::sync::{Mutex, oneshot};
use tokio::task::spawn_blocking;
use tokio::time::Instant;

use self::cache::ListingCache;
use crate::encoding::{Effort, Encoded, compressed};
use crate::service::{Service, ServiceError};

/// A listing, uncompressed and compressed. It contains nothing from a request, so its compressed
/// size reveals nothing (BREACH).
type Listing = Encoded<Bytes>;

/// A listing, or why it could not be fetched.
type Answer = Result<Arc<Listing>, Arc<ServiceError>>;

/// Up to this size, the best compression is fast enough for a waiting request.
const SMALL_LISTING: usize = 16 * 1024;

/// Caches the listing. Requests that arrive during a fetch wait for it and share its result. An
/// error is not cached for later requests.
pub(crate) struct Tokens {
    service: Arc<Service>,
    ttl: Duration,
    last: Mutex<Option<(Instant, Answer)>>,
    cache: Arc<ListingCache>,
}

impl Tokens {
    pub(crate) fn new(service: Arc<Service>, ttl: Duration) -> Self {
        let last = Mutex::default();
        Self {
            service,
            ttl,
            last,
            cache: Arc::default(),
        }
    }

    pub(crate) async fn listing(&self) -> Answer {
        match self.cache.fresh(self.ttl) {
            Some(listing) => Ok(listing),
            None => self.fetched().await,
        }
    }

    async fn fetched(&self) -> Answer {
        let arrived = Instant::now();
        let mut last = self.last.lock().await;
        if let Some((fetched, answer)) = &*last {
            let fetched_since = *fetched >= arrived;
            if fetched_since {
                return answer.clone();
            }
        }
        let answer = self.fetch().await;
        let now = Instant::now();
        *last = Some((now, answer.clone()));
        if let Ok(listing) = &answer {
            self.cache.store(now, listing);
        }
        answer
    }

    /// Without caching the listing stays uncompressed, because each request would compress it
    /// again.
    async fn fetch(&self) -> Answer {
        let plain = Bytes::from(self.service.tokens().await.map_err(Arc::new)?);
        let only_plain = |plain| Encoded::new(plain, |_| None);
        if self.ttl.is_zero() {
            return Ok(Arc::new(only_plain(plain)));
        }
        if let Some(listing) = self.cache.with_text(&plain) {
            self.recompress(&listing);
            return Ok(listing);
        }
        let effort = if plain.len() > SMALL_LISTING {
            Effort::Quick
        } else {
            Effort::Best
        };
        let copy = plain.clone();
        let listing = spawn_blocking(move || compressed(&copy, effort)).await;
        let listing = listing.unwrap_or_else(|error| {
            tracing::error!(%error, "can't compress the token listing");
            only_plain(plain)
        });
        Ok(Arc::new(listing))
    }

    /// Compresses a long listing as well as possible, once and in the background. This takes
    /// seconds of CPU time, so it starts only when a second fetch has returned the same listing.
    fn recompress(&self, listing: &Arc<Listing>) {
        if listing.plain().len() <= SMALL_LISTING || !self.cache.claim_recompression(listing) {
            return;
        }
        let (listing, cache) = (Arc::clone(listing), Arc::clone(&self.cache));
        tokio::spawn(async move {
            let plain = listing.plain().clone();
            let (send, receive) = oneshot::channel();
            // Use a separate thread, because a stop would wait for a blocking task of the runtime.
            // If the receiver is gone, the result is dropped.
            thread::spawn(move || drop(send.send(compressed(&plain, Effort::Best))));
            match receive.await {
                Ok(shorter) => cache.replace(&listing, shorter),
                Err(error) => tracing::error!(%error, "can't compress the token listing again"),
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use tender_sandbox::{Endpoint, Fault, Sandbox};

    use super::*;
    use crate::config::Config;

    #[tokio::test]
    async fn concurrent_requests_share_a_fetch() {
        let sandbox = tender_sandbox::Config::on_free_ports();
        let sandbox = Sandbox::start(sandbox).await.unwrap();
        let address = |address: &str| address.parse().unwrap();
        let mut config = Config::new(
            address(sandbox.base_url()),
            address(sandbox.rates_base_url()),
        );
        config.upstream_retries = 0;
        let metrics = crate::metrics::Metrics::new();
        let service = Arc::new(Service::new(&config, metrics).unwrap());
        let tokens = Tokens::new(service, Duration::ZERO);

        let failure = Fault::respond(StatusCode::SERVICE_UNAVAILABLE, "");
        sandbox.controls().inject(failure.once());
        let (first, second) = tokio::join!(tokens.listing(), tokens.listing());
        assert!(first.is_err() && second.is_err());
        let calls = || sandbox.controls().state().requests[&Endpoint::Tokens].received;
        assert_eq!(calls(), 1);
        // A later request fetches the listing again.
        assert!(tokens.listing().await.is_ok());
        assert_eq!(calls(), 2);
    }
}
