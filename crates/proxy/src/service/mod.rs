//! The client of the payment service, which documents four endpoints on two base URLs. Responses are kept as text or as
//! [`Record`]s, so that every digit of an amount is preserved.

mod deadline;
mod error;
pub(crate) mod list;
mod shared_reads;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use arc_swap::ArcSwap;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, Method};
use backon::{ExponentialBuilder, Retryable as _};
use reqwest::{Request, Response, Url};
use serde::Serialize;
use tender_protocol::record::readable;
use tender_protocol::{CancelPayment, CreatePayment, Record, path};
use tokio::sync::Semaphore;

use self::deadline::{Sent, until};
use self::error::Call;
pub(crate) use self::error::ServiceError;
use self::shared_reads::SharedReads;
use crate::clock::{Deadline, Instant};
use crate::config::{Config, PageParameter};
use crate::metrics::Metrics;
use crate::transport::{Failure, Transport};

/// What the response to cancel and list should be, for error messages.
const PAYMENTS: &str = "a list of payment records";

/// How many calls to an endpoint run at the same time at most, except those that create payments.
pub(crate) const MAX_CALLS: usize = 64;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Maximum size of a response, 4 MiB: enough for thousands of token records.
const MAX_RESPONSE: usize = 4 << 20;

pub(crate) struct Service {
    transport: Transport,
    headers: ArcSwap<HeaderMap>,
    base_url: Url,
    rates_base_url: Url,
    page_parameter: PageParameter,
    first_page: u32,
    /// Whether the page before the first one was seen to be none.
    is_first_page_right: AtomicBool,
    retries: ExponentialBuilder,
    tokens: Endpoint,
    create: Endpoint,
    cancel: Endpoint,
    list: Endpoint,
    reads: SharedReads,
    metrics: Metrics,
}

impl Service {
    pub(crate) fn new(config: &Config, metrics: Metrics, transport: Transport) -> Self {
        let upstream = &config.upstream;
        let endpoint = |name, max_calls| Endpoint::new(name, max_calls, &metrics);
        Self {
            transport,
            headers: ArcSwap::from_pointee(upstream.header_map()),
            base_url: upstream.base_url.clone(),
            rates_base_url: upstream.rates_base_url.clone(),
            page_parameter: upstream.page_parameter,
            first_page: upstream.first_page,
            is_first_page_right: AtomicBool::new(false),
            retries: ExponentialBuilder::default()
                .with_min_delay(Duration::from_millis(50))
                .with_max_times(upstream.retries)
                .with_jitter(),
            tokens: endpoint("tokens", MAX_CALLS),
            create: endpoint("create", upstream.max_creates),
            cancel: endpoint("cancel", MAX_CALLS),
            list: endpoint("list", MAX_CALLS),
            reads: SharedReads::default(),
            metrics,
        }
    }

    pub(crate) fn replace_headers(&self, headers: HeaderMap) {
        self.headers.store(Arc::new(headers));
    }

    /// "List enabled tokens": returns the response unchanged.
    pub(crate) async fn tokens(&self) -> Result<String, ServiceError> {
        let url = join_path(&self.rates_base_url, path::TOKENS);
        let ask = async || {
            let request = self.request(Method::GET, url.clone());
            self.tokens.measured(self.text(request)).await
        };
        ask.retry(self.retries)
            .when(ServiceError::is_transient)
            .await
    }

    /// "Create a payment request": returns a JSON object. The request body has only the documented
    /// fields.
    ///
    /// The request is sent before `send_by` or not at all. It is abandoned a little after `finish_by`, or
    /// after the process, if it was suspended, noticed that this has passed.
    pub(crate) async fn create(
        &self,
        payment: &CreatePayment,
        send_by: Deadline,
        finish_by: Instant,
    ) -> Result<Record, ServiceError> {
        let posting = self.post(&self.create, path::PAYMENT, payment, send_by, finish_by);
        let mut record = Record::parse(&posting.await?, "a payment record")?;
        if record.keep_last() {
            tracing::warn!("a field of the created payment is there twice; the last one counts");
        }
        Ok(record)
    }

    /// "Cancel a payment": returns the records of the response. With any other response the payment may not be
    /// cancelled.
    ///
    /// The request is sent before `send_by` or not at all, as that of [`create`](Self::create).
    pub(crate) async fn cancel(
        &self,
        transaction_id: &str,
        send_by: Deadline,
        finish_by: Instant,
    ) -> Result<Vec<Record>, ServiceError> {
        let payment = CancelPayment {
            transaction_id: transaction_id.to_owned(),
        };
        let posting = self.post(&self.cancel, path::CANCEL, &payment, send_by, finish_by);
        let records = Record::parse_array(&posting.await?, PAYMENTS)?.into_iter();
        Ok(records.collect::<Result<_, _>>()?)
    }

    /// Sends a body before `send_by`, or not at all.
    async fn post(
        &self,
        endpoint: &Endpoint,
        path: &str,
        body: &(impl Serialize + Sync),
        send_by: Deadline,
        finish_by: Instant,
    ) -> Result<String, ServiceError> {
        let json = serde_json::to_vec(body).map_err(|_| ServiceError::NotSent)?;
        let sent = Sent::default();
        let mut request = self.request(Method::POST, join_path(&self.base_url, path));
        let length = HeaderValue::from(json.len());
        request.headers_mut().insert(CONTENT_TYPE, JSON);
        request.headers_mut().insert(CONTENT_LENGTH, length);
        *request.body_mut() = Some(sent.body(json, send_by));
        // The client's timeout would come before the response.
        *request.timeout_mut() = Some(Duration::MAX);
        let answer = async {
            let late = || ServiceError::Timeout("its time has passed".to_owned());
            until(finish_by, self.text(request))
                .await
                .ok_or_else(late)?
        };
        match (endpoint.measured(answer).await, sent.is_sent()) {
            (Err(ServiceError::Timeout(_) | ServiceError::ConnectionLost(_)), false) => {
                Err(ServiceError::NotSent)
            }
            (Err(ServiceError::Unreachable(cause)), true) => {
                Err(ServiceError::ConnectionLost(cause))
            }
            (answer, _) => answer,
        }
    }

    fn request(&self, method: Method, url: Url) -> Request {
        let mut request = Request::new(method, url);
        // Not set as the client's default headers, because those would send a repeated header only
        // once.
        *request.headers_mut() = HeaderMap::clone(&self.headers.load());
        request
    }

    /// Sends a request and reads the response, up to the maximum size.
    async fn text(&self, request: Request) -> Result<String, ServiceError> {
        let call = Call::of(&request);
        let response = self.transport.send(request).await;
        let response = response.map_err(|failure| ServiceError::unanswered(failure, &call))?;
        let status = response.status();
        if status.is_client_error() {
            return Err(ServiceError::Refused(status, call.into()));
        }
        if !status.is_success() {
            return Err(ServiceError::Failed(status, call.into()));
        }
        let text = String::from_utf8(body(response).await?)
            .map_err(|_| ServiceError::Unusable("the service's response is not UTF-8"))?;
        // A shop that can't read one field can't fulfil the order.
        Ok(readable(text))
    }
}

/// An endpoint. While one of them hangs, calls to the others are not refused.
struct Endpoint {
    /// The label of metrics.
    name: &'static str,
    permits: Semaphore,
    metrics: Metrics,
}

impl Endpoint {
    fn new(name: &'static str, max_calls: usize, metrics: &Metrics) -> Self {
        metrics.begin_endpoint(name);
        Self {
            name,
            permits: Semaphore::new(max_calls.min(Semaphore::MAX_PERMITS)),
            metrics: metrics.clone(),
        }
    }

    /// Waits for an answer, unless too many calls are in progress, and measures it.
    async fn measured(
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

async fn body(mut response: Response) -> Result<Vec<u8>, ServiceError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(Failure::from)? {
        if body.len() + chunk.len() > MAX_RESPONSE {
            return Err(ServiceError::Unusable(
                "the service's response is longer than 4 MiB",
            ));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Appends a path to a base URL, which may have a path itself.
fn join_path(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}{path}", base.path().trim_end_matches('/')));
    url
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tender_protocol::TokenCode;
    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;

    use super::*;
    use crate::clock::wall;
    use crate::transport::Transports;

    /// Sends a request with this deadline. Returns the error and the bytes that the service
    /// received.
    async fn send_until(send_by: Deadline) -> (ServiceError, String) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let config = Config::new(&address, &address).unwrap();
        let transport = Transports::new(&config).unwrap().service;
        let service = Service::new(&config, Metrics::new(), transport);
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
        let (now, wall) = (Instant::now(), wall());
        let minute = Duration::from_mins(1);
        let (error, seen_late) = send_until(Deadline::new(now, wall - 2 * minute, minute)).await;
        assert!(
            matches!(error, ServiceError::NotSent) && error.nothing_happened(),
            "{error}"
        );
        assert!(!seen_late.contains("INV-1"), "{seen_late}");
        let (error, seen_early) = send_until(Deadline::new(now, wall, minute)).await;
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
