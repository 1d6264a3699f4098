//! The token listing, cached for all buyers.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;
use tokio::time::Instant;

use crate::encoding::{Encoded, compressed};
use crate::service::{Service, ServiceError};

/// A listing, uncompressed and compressed. It contains nothing from a request, so its compressed
/// size reveals nothing (BREACH).
type Listing = Encoded<Bytes>;

/// A listing, or why it could not be fetched.
type Answer = Result<Arc<Listing>, Arc<ServiceError>>;

/// Caches the listing. Requests that arrive during a fetch wait for it and share its result. An
/// error is not cached for later requests.
pub(crate) struct Tokens {
    service: Arc<Service>,
    ttl: Duration,
    last: Mutex<Option<(Instant, Answer)>>,
}

impl Tokens {
    pub(crate) fn new(service: Arc<Service>, ttl: Duration) -> Self {
        let last = Mutex::default();
        Self { service, ttl, last }
    }

    pub(crate) async fn listing(&self) -> Answer {
        let arrived = Instant::now();
        let mut last = self.last.lock().await;
        if let Some((fetched, answer)) = &*last {
            let fetched_since = *fetched >= arrived;
            let is_fresh = answer.is_ok() && fetched.elapsed() < self.ttl;
            if fetched_since || is_fresh {
                return answer.clone();
            }
        }
        let answer = self.fetch().await;
        *last = Some((Instant::now(), answer.clone()));
        answer
    }

    async fn fetch(&self) -> Answer {
        let plain = Bytes::from(self.service.tokens().await.map_err(Arc::new)?);
        let copy = plain.clone();
        let listing = spawn_blocking(move || compressed(&copy)).await;
        let listing = listing.unwrap_or_else(|error| {
            tracing::error!(%error, "can't compress the token listing");
            Encoded::new(plain, |_| None)
        });
        Ok(Arc::new(listing))
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
        let mut config = Config::new(sandbox.base_url(), sandbox.rates_base_url()).unwrap();
        config.upstream.retries = 0;
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
