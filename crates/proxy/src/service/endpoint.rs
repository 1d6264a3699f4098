//! Calls of an endpoint, a limited number at the same time.

use std::time::Instant;

use reqwest::{RequestBuilder, Response};
use tokio::sync::Semaphore;

use super::ServiceError;
use crate::metrics::Metrics;

/// Maximum size of a response: enough for thousands of token records.
const MAX_RESPONSE: usize = 4 << 20;

/// An endpoint. While one of them hangs, calls to the others are not refused.
pub(super) struct Endpoint {
    /// The label of metrics.
    name: &'static str,
    permits: Semaphore,
    metrics: Metrics,
}

impl Endpoint {
    pub(super) fn new(name: &'static str, max_calls: usize, metrics: &Metrics) -> Self {
        Self {
            name,
            permits: Semaphore::new(max_calls.min(Semaphore::MAX_PERMITS)),
            metrics: metrics.clone(),
        }
    }

    /// Waits for an answer, unless too many calls are in progress, and measures it.
    pub(super) async fn measured(
        &self,
        answer: impl Future<Output = Result<String, ServiceError>>,
    ) -> Result<String, ServiceError> {
        let permit = self.permits.try_acquire();
        let _permit = permit.map_err(|_| ServiceError::Busy)?;
        let begun = Instant::now();
        let answer = answer.await;
        let error = answer.as_ref().err();
        let outcome = error.map_or("ok", |error| error.code().as_str());
        self.metrics.upstream(self.name, outcome, begun.elapsed());
        answer
    }
}

/// Sends a request and reads the response, up to the maximum size.
pub(super) async fn text(request: RequestBuilder) -> Result<String, ServiceError> {
    let response = request.send().await?;
    let status = response.status();
    if status.is_client_error() {
        return Err(ServiceError::Refused(status));
    }
    if !status.is_success() {
        return Err(ServiceError::Failed(status));
    }
    String::from_utf8(body(response).await?).map_err(|_| ServiceError::NotText)
}

async fn body(mut response: Response) -> Result<Vec<u8>, ServiceError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > MAX_RESPONSE {
            return Err(ServiceError::TooLong(MAX_RESPONSE));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
