//! Sends requests to the service, a limited number at the same time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use axum::http::{HeaderMap, Method};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response, Url};
use serde_json::json;
use tender_protocol::path;
use tokio::sync::Semaphore;

use super::ServiceError;
use super::late::until;
use crate::config::{Config, PageParameter};
use crate::metrics::Metrics;

/// Maximum size of a response: enough for thousands of token records.
const MAX_RESPONSE: usize = 4 << 20;

/// How many calls to an endpoint run at the same time at most, except those that create payments.
const MAX_CALLS: usize = 64;

/// The connection to the service.
pub(super) struct Upstream {
    client: Client,
    headers: ArcSwap<HeaderMap>,
    base_url: Url,
    rates_base_url: Url,
    page_parameter: PageParameter,
    first_page: u32,
    pub(super) tokens: Endpoint,
    pub(super) create: Endpoint,
    pub(super) cancel: Endpoint,
    pub(super) list: Endpoint,
    metrics: Metrics,
}

/// An endpoint. While one of them hangs, calls to the others are not refused.
pub(super) struct Endpoint {
    /// The label of metrics.
    name: &'static str,
    permits: Semaphore,
}

impl Endpoint {
    fn new(name: &'static str, max_calls: usize) -> Self {
        Self {
            name,
            permits: Semaphore::new(max_calls.min(Semaphore::MAX_PERMITS)),
        }
    }
}

impl Upstream {
    pub(super) fn new(config: &Config, metrics: Metrics) -> Result<Self, reqwest::Error> {
        let upstream = &config.upstream;
        Ok(Self {
            client: Client::builder()
                .redirect(Policy::none())
                // A proxy of the environment would see the credentials.
                .no_proxy()
                .connect_timeout(upstream.connect_timeout)
                .timeout(upstream.timeout)
                .user_agent(concat!("tender-proxy/", env!("CARGO_PKG_VERSION")))
                .build()?,
            headers: ArcSwap::from_pointee(upstream.header_map()),
            base_url: upstream.base_url.clone(),
            rates_base_url: upstream.rates_base_url.clone(),
            page_parameter: upstream.page_parameter,
            first_page: upstream.first_page,
            tokens: Endpoint::new("tokens", MAX_CALLS),
            create: Endpoint::new("create", upstream.max_creates),
            cancel: Endpoint::new("cancel", MAX_CALLS),
            list: Endpoint::new("list", MAX_CALLS),
            metrics,
        })
    }

    pub(super) fn replace_headers(&self, headers: HeaderMap) {
        self.headers.store(Arc::new(headers));
    }

    /// Sends a request, unless too many calls to its endpoint are in progress, and measures it.
    pub(super) async fn call(
        &self,
        endpoint: &Endpoint,
        request: RequestBuilder,
    ) -> Result<String, ServiceError> {
        self.measured(endpoint, text(request)).await
    }

    /// Like [`call`](Self::call), but with this time limit instead of the client's timeout. A response
    /// that has arrived by then is read, even if the process was suspended meanwhile.
    pub(super) async fn call_until(
        &self,
        endpoint: &Endpoint,
        request: RequestBuilder,
        finish_by: Instant,
    ) -> Result<String, ServiceError> {
        // The client's timeout would come before the response.
        let answer = text(request.timeout(Duration::MAX));
        let answer = async {
            let late = || ServiceError::Timeout("its time has passed".to_owned());
            until(finish_by, answer).await.ok_or_else(late)?
        };
        self.measured(endpoint, answer).await
    }

    pub(super) fn tokens_request(&self) -> RequestBuilder {
        self.request(Method::GET, join_path(&self.rates_base_url, path::TOKENS))
    }

    pub(super) fn create_request(&self) -> RequestBuilder {
        self.request(Method::POST, join_path(&self.base_url, path::PAYMENT))
    }

    pub(super) fn cancel_request(&self) -> RequestBuilder {
        self.request(Method::POST, join_path(&self.base_url, path::CANCEL))
    }

    /// Page 0 is the first, whatever number the service gives it.
    pub(super) fn list_request(&self, page: u32) -> RequestBuilder {
        let page = self.first_page.saturating_add(page);
        let mut url = join_path(&self.base_url, path::LIST);
        match self.page_parameter {
            PageParameter::Query => {
                url.query_pairs_mut().append_pair("page", &page.to_string());
                self.request(Method::GET, url)
            }
            PageParameter::Path => self.request(Method::GET, join_path(&url, &format!("/{page}"))),
            PageParameter::Body => self
                .request(Method::GET, url)
                .json(&json!({ "page": page })),
        }
    }

    fn request(&self, method: Method, url: Url) -> RequestBuilder {
        // Not set as the client's default headers, because those would send a repeated header only
        // once.
        let headers = HeaderMap::clone(&self.headers.load());
        self.client.request(method, url).headers(headers)
    }

    pub(super) fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    async fn measured(
        &self,
        endpoint: &Endpoint,
        answer: impl Future<Output = Result<String, ServiceError>>,
    ) -> Result<String, ServiceError> {
        let permit = endpoint.permits.try_acquire();
        let _permit = permit.map_err(|_| ServiceError::Busy)?;
        let begun = Instant::now();
        let answer = answer.await;
        let error = answer.as_ref().err();
        let outcome = error.map_or("ok", |error| error.code().as_str());
        self.metrics
            .upstream(endpoint.name, outcome, begun.elapsed());
        answer
    }
}

/// Appends a path to a base URL, which may have a path itself.
fn join_path(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}{path}", base.path().trim_end_matches('/')));
    url
}

/// Sends a request and reads the response, up to the maximum size.
async fn text(request: RequestBuilder) -> Result<String, ServiceError> {
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
