//! The token listing, fetched once for all buyers.

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

/// A listing as it came, plain and compressed. All pages get the same, and nothing of a request is in it,
/// so that its length tells nobody anything.
type Listing = Encoded<Bytes>;

/// A listing, or why there is none.
type Answer = Result<Arc<Listing>, Arc<ServiceError>>;

/// Up to so many bytes the best compression takes no longer than a request may wait.
const SMALL_LISTING: usize = 16 * 1024;

/// Keeps the last listing for a while. Requests that come while it is fetched wait for the one
/// fetch, and share what it brings: an error is never kept for later requests.
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
            let meanwhile = *fetched >= arrived;
            if meanwhile {
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

    /// A listing that is not kept stays plain: it would be compressed anew for each request.
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
            tracing::error!(%error, "the token listing was not compressed");
            only_plain(plain)
        });
        Ok(Arc::new(listing))
    }

    /// Compresses a long listing that has come again as well as can be, once, behind those who ask for it. It takes a
    /// processor for seconds: a listing that is another one each time is not worth that.
    fn recompress(&self, listing: &Arc<Listing>) {
        if listing.plain().len() <= SMALL_LISTING || !self.cache.claim_recompression(listing) {
            return;
        }
        let (listing, cache) = (Arc::clone(listing), Arc::clone(&self.cache));
        tokio::spawn(async move {
            let plain = listing.plain().clone();
            let (send, receive) = oneshot::channel();
            // A thread of its own: a stop would wait for one of the runtime's. Should nobody listen any more, nothing is lost.
            thread::spawn(move || drop(send.send(compressed(&plain, Effort::Best))));
            match receive.await {
                Ok(shorter) => cache.replace(&listing, shorter),
                Err(error) => tracing::error!(%error, "the token listing was not compressed again"),
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
    async fn requests_that_come_while_it_is_fetched_share_what_it_brings() {
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
        // Who comes later asks anew.
        assert!(tokens.listing().await.is_ok());
        assert_eq!(calls(), 2);
    }
}
