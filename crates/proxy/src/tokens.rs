//! The token listing, fetched once for all buyers.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::service::{Service, ServiceError};

/// A listing as it came, or why there is none.
type Answer = Result<Bytes, Arc<ServiceError>>;

/// Keeps the last listing for a while. Requests that come while it is fetched wait for the one
/// fetch, and share what it brings: an error is never kept for later requests.
pub(crate) struct Tokens {
    service: Arc<Service>,
    keep: Duration,
    last: Mutex<Option<(Instant, Answer)>>,
}

impl Tokens {
    pub(crate) fn new(service: Arc<Service>, keep: Duration) -> Self {
        let last = Mutex::default();
        Self {
            service,
            keep,
            last,
        }
    }

    pub(crate) async fn listing(&self) -> Answer {
        let arrived = Instant::now();
        let mut last = self.last.lock().await;
        if let Some((fetched, answer)) = &*last {
            let meanwhile = *fetched >= arrived;
            if meanwhile || (answer.is_ok() && fetched.elapsed() < self.keep) {
                return answer.clone();
            }
        }
        let answer = self
            .service
            .tokens()
            .await
            .map(Bytes::from)
            .map_err(Arc::new);
        *last = Some((Instant::now(), answer.clone()));
        answer
    }
}
