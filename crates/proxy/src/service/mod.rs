//! The client of the payment service, which documents four endpoints on two base URLs.
//!
//! Redirects are not followed. TLS is verified with the system's certificates. Responses are kept
//! as text or as [`Record`]s, so that every digit of an amount is preserved.

mod breaker;
mod deadline;
mod error;
pub(crate) mod tokens;

use std::time::{Duration, Instant};

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Method};
use backon::{ExponentialBuilder, Retryable as _};
use reqwest::redirect::Policy;
use reqwest::{Body, Client, RequestBuilder, Response, Url};
use serde_json::json;
use serde_json::value::RawValue;
use tender_protocol::{CancelPayment, CreatePayment, Record, RecordError, path};

use tokio::sync::Semaphore;

use self::deadline::{DeadlineBody, Sent};

use self::breaker::Breaker;
pub(crate) use self::error::{ServiceError, advice, causes};
use crate::config::{Config, PageParameter};
use crate::metrics::Metrics;

/// Maximum size of a response: enough for thousands of token records.
const MAX_RESPONSE: usize = 4 << 20;

/// What the response to cancel and list should be, for error messages.
const PAYMENTS: &str = "a list of payment records";

/// A client of the service.
pub(crate) struct Service {
    client: Client,
    headers: HeaderMap,
    base_url: Url,
    rates_base_url: Url,
    page_parameter: PageParameter,
    first_page: u32,
    /// One circuit breaker per kind of endpoint: if polls of the list fail, payments can still be
    /// created.
    payments: Breaker,
    lists: Breaker,
    rates: Breaker,
    /// Limits how many payments are created at the same time.
    creates: Semaphore,
    retries: ExponentialBuilder,
    metrics: Metrics,
}

/// The endpoints. Their names are labels of metrics.
#[derive(Clone, Copy)]
enum Endpoint {
    Tokens,
    Create,
    Cancel,
    List,
}

impl Endpoint {
    fn name(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Create => "create",
            Self::Cancel => "cancel",
            Self::List => "list",
        }
    }
}

impl Service {
    pub(crate) fn new(config: &Config, metrics: Metrics) -> Result<Self, reqwest::Error> {
        let breaker = || Breaker::new(config.upstream.failures, config.upstream.open);
        Ok(Self {
            client: Client::builder()
                .redirect(Policy::none())
                // A proxy of the environment would see the credentials.
                .no_proxy()
                .connect_timeout(config.upstream.connect_timeout)
                .timeout(config.upstream.timeout)
                .user_agent(concat!("tender-proxy/", env!("CARGO_PKG_VERSION")))
                .build()?,
            headers: config.upstream.header_map(),
            base_url: config.upstream.base_url.clone(),
            rates_base_url: config.upstream.rates_base_url.clone(),
            page_parameter: config.upstream.page_parameter,
            first_page: config.upstream.first_page,
            payments: breaker(),
            lists: breaker(),
            rates: breaker(),
            creates: Semaphore::new(config.upstream.max_creates.min(Semaphore::MAX_PERMITS)),
            retries: ExponentialBuilder::default()
                .with_min_delay(Duration::from_millis(50))
                .with_max_times(config.upstream.retries)
                .with_jitter(),
            metrics,
        })
    }

    /// "List enabled tokens": returns the response, a JSON array, unchanged.
    pub(crate) async fn tokens(&self) -> Result<String, ServiceError> {
        let ask = async || {
            let url = join_path(&self.rates_base_url, path::TOKENS);
            let request = self.request(Method::GET, url);
            self.call(Endpoint::Tokens, request).await
        };
        let json = ask
            .retry(self.retries)
            .when(ServiceError::is_transient)
            .await?;
        Record::parse_array(&json, "a list of token records")?;
        Ok(json)
    }

    /// "Create a payment request": returns a JSON object. The request body has only the documented
    /// fields.
    ///
    /// The request is sent before `send_by` or not at all, and is abandoned at `finish_by`.
    pub(crate) async fn create(
        &self,
        payment: &CreatePayment,
        send_by: Instant,
        finish_by: Instant,
    ) -> Result<Record, ServiceError> {
        let url = join_path(&self.base_url, path::PAYMENT);
        let _room = self.creates.try_acquire().map_err(|_| ServiceError::Busy)?;
        let json = serde_json::to_vec(payment).map_err(|_| ServiceError::NotSent)?;
        let sent = Sent::default();
        let request = self
            .request(Method::POST, url)
            .header(CONTENT_TYPE, "application/json")
            .timeout(finish_by.saturating_duration_since(Instant::now()))
            .body(Body::wrap(DeadlineBody::new(json, send_by, &sent)));
        let answer = self.call(Endpoint::Create, request).await;
        let json = match (answer, sent.is_sent()) {
            (Err(ServiceError::Timeout(_) | ServiceError::ConnectionLost(_)), false) => {
                return Err(ServiceError::NotSent);
            }
            (Err(ServiceError::Unreachable(cause)), true) => {
                return Err(ServiceError::ConnectionLost(cause));
            }
            (answer, _) => answer?,
        };
        Ok(Record::parse(&json, "a payment record")?)
    }

    /// "Cancel a payment": returns the response, a JSON array of objects, unchanged. With any other
    /// response the payment may not be cancelled.
    pub(crate) async fn cancel(&self, transaction_id: &str) -> Result<String, ServiceError> {
        let url = join_path(&self.base_url, path::CANCEL);
        let payment = CancelPayment {
            transaction_id: transaction_id.to_owned(),
        };
        let request = self.request(Method::POST, url).json(&payment);
        let json = self.call(Endpoint::Cancel, request).await?;
        for record in Record::parse_array(&json, PAYMENTS)? {
            record?;
        }
        Ok(json)
    }

    /// "List payments": returns one page unchanged. Page 0 is the first, whatever number the
    /// service gives it.
    pub(crate) async fn list(&self, page: u32) -> Result<String, ServiceError> {
        let ask = async || self.call(Endpoint::List, self.list_request(page)).await;
        let json = ask
            .retry(self.retries)
            .when(ServiceError::is_transient)
            .await?;
        Record::parse_array(&json, PAYMENTS)?;
        Ok(json)
    }

    /// The records of a page, without elements that are not records; `None` if the page is empty.
    pub(crate) async fn records(&self, page: u32) -> Result<Option<Vec<Record>>, ServiceError> {
        let elements = Record::parse_array(&self.list(page).await?, PAYMENTS)?;
        let is_empty = elements.is_empty();
        Ok((!is_empty).then(|| elements.into_iter().flatten().collect()))
    }

    /// All elements of a page, whether they are records or not, so that the caller can skip invalid
    /// ones. Not retried, because the poller tries again anyway.
    pub(crate) async fn raw_elements(&self, page: u32) -> Result<Vec<Box<RawValue>>, ServiceError> {
        let json = self.call(Endpoint::List, self.list_request(page)).await?;
        serde_json::from_str(&json).map_err(|error| {
            ServiceError::Unreadable(RecordError::NotJson {
                expected: PAYMENTS,
                reason: error.to_string(),
            })
        })
    }

    fn list_request(&self, page: u32) -> RequestBuilder {
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

    /// Fails while the circuit breaker for payments or for tokens is open.
    pub(crate) fn is_available(&self) -> Result<(), ServiceError> {
        let closed = self.payments.is_closed().and(self.rates.is_closed());
        closed.map_err(ServiceError::CircuitOpen)
    }

    /// Sends one request through its circuit breaker and measures it.
    async fn call(
        &self,
        endpoint: Endpoint,
        request: RequestBuilder,
    ) -> Result<String, ServiceError> {
        let breaker = match endpoint {
            Endpoint::Tokens => &self.rates,
            Endpoint::Create | Endpoint::Cancel => &self.payments,
            Endpoint::List => &self.lists,
        };
        let permit = breaker.acquire().map_err(ServiceError::CircuitOpen)?;
        let begun = Instant::now();
        let answer = send(request).await;
        let error = answer.as_ref().err();
        permit.report(error.is_none_or(ServiceError::is_service_up));
        let outcome = error.map_or("ok", |error| error.code().as_str());
        self.metrics
            .upstream(endpoint.name(), outcome, begun.elapsed());
        answer
    }

    fn request(&self, method: Method, url: Url) -> RequestBuilder {
        // Not set as the client's default headers, because those would send a repeated header only
        // once.
        self.client
            .request(method, url)
            .headers(self.headers.clone())
    }
}

/// Appends a path to a base URL, which may have a path itself.
fn join_path(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}{path}", base.path().trim_end_matches('/')));
    url
}

/// Sends a request and reads the response, up to the maximum size.
async fn send(request: RequestBuilder) -> Result<String, ServiceError> {
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tender_protocol::TokenCode;
    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;

    use super::*;

    /// Sends a request with this deadline. Returns the error and the bytes that the service
    /// received.
    async fn send_until(send_by: Instant) -> (ServiceError, String) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let config = Config::new(&address, &address).unwrap();
        let service = Service::new(&config, Metrics::new()).unwrap();
        let payment = CreatePayment {
            token: TokenCode::from("btc"),
            quantity: "1".parse().unwrap(),
            payment_token: TokenCode::from("btc"),
            invoice_number: "INV-1".to_owned(),
            purchase_email: None,
            purchase_name: None,
            item_number: None,
        };
        let finish_by = Instant::now() + Duration::from_millis(500);
        let asking = async {
            service
                .create(&payment, send_by, finish_by)
                .await
                .unwrap_err()
        };
        let listening = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut read = String::new();
            let _ = tokio::time::timeout(Duration::from_secs(1), stream.read_to_string(&mut read))
                .await;
            read
        };
        tokio::join!(asking, listening)
    }

    #[tokio::test]
    async fn a_late_request_is_not_sent() {
        let now = Instant::now();
        let (error, seen_late) =
            send_until(now.checked_sub(Duration::from_millis(1)).unwrap()).await;
        assert!(
            matches!(error, ServiceError::NotSent) && error.nothing_happened(),
            "{error}"
        );
        assert!(!seen_late.contains("INV-1"), "{seen_late}");
        let (error, seen_early) = send_until(now + Duration::from_mins(1)).await;
        assert!(
            matches!(error, ServiceError::Timeout(_)) && !error.nothing_happened(),
            "{error}"
        );
        assert!(
            seen_early.contains("INV-1") && seen_early.contains("content-length: "),
            "{seen_early}"
        );
    }
}
