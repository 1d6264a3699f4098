//! The client of the payment service, which documents four endpoints on two base URLs.
//!
//! Redirects are not followed. TLS is verified with the system's certificates. Responses are kept
//! as text or as [`Record`]s, so that every digit of an amount is preserved.

mod deadline;
mod error;
mod late;
pub(crate) mod list;
pub(crate) mod tokens;
mod upstream;

use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use backon::{ExponentialBuilder, Retryable as _};
use reqwest::{Body, RequestBuilder};
use serde::Serialize;
use tender_protocol::{CancelPayment, CreatePayment, Record};

use self::deadline::{DeadlineBody, Sent};
pub(crate) use self::error::{ServiceError, advice, causes};
use self::upstream::{Endpoint, Upstream};
use crate::clock::Deadline;
use crate::config::Config;
use crate::metrics::Metrics;

/// What the response to cancel and list should be, for error messages.
const PAYMENTS: &str = "a list of payment records";

/// A client of the service.
pub(crate) struct Service {
    upstream: Upstream,
    retries: ExponentialBuilder,
}

impl Service {
    pub(crate) fn new(config: &Config, metrics: Metrics) -> Result<Self, reqwest::Error> {
        Ok(Self {
            upstream: Upstream::new(config, metrics)?,
            retries: ExponentialBuilder::default()
                .with_min_delay(Duration::from_millis(50))
                .with_max_times(config.upstream.retries)
                .with_jitter(),
        })
    }

    /// Replaces the headers of later requests.
    pub(crate) fn replace_headers(&self, headers: HeaderMap) {
        self.upstream.replace_headers(headers);
    }

    /// "List enabled tokens": returns the response, a JSON array, unchanged.
    pub(crate) async fn tokens(&self) -> Result<String, ServiceError> {
        let upstream = &self.upstream;
        let ask = async || {
            upstream
                .call(&upstream.tokens, upstream.tokens_request())
                .await
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
    /// The request is sent before `send_by` or not at all. It is abandoned a little after `finish_by`, or
    /// after the process, if it was suspended, noticed that this has passed.
    pub(crate) async fn create(
        &self,
        payment: &CreatePayment,
        send_by: Deadline,
        finish_by: Instant,
    ) -> Result<Record, ServiceError> {
        let upstream = &self.upstream;
        let request = upstream.create_request();
        let json = self
            .send(&upstream.create, request, payment, send_by, finish_by)
            .await?;
        let mut record = Record::parse(&json, "a payment record")?;
        if record.keep_last() {
            tracing::warn!("a field of the created payment is there twice; the last one counts");
        }
        Ok(record)
    }

    /// Sends a body before `send_by`, or not at all.
    async fn send(
        &self,
        endpoint: &Endpoint,
        request: RequestBuilder,
        body: &(impl Serialize + Sync),
        send_by: Deadline,
        finish_by: Instant,
    ) -> Result<String, ServiceError> {
        let json = serde_json::to_vec(body).map_err(|_| ServiceError::NotSent)?;
        let sent = Sent::default();
        let request = request
            .header(CONTENT_TYPE, "application/json")
            .body(Body::wrap(DeadlineBody::new(json, send_by, &sent)));
        let answer = self.upstream.call_until(endpoint, request, finish_by).await;
        match (answer, sent.is_sent()) {
            (Err(ServiceError::Timeout(_) | ServiceError::ConnectionLost(_)), false) => {
                Err(ServiceError::NotSent)
            }
            (Err(ServiceError::Unreachable(cause)), true) => {
                Err(ServiceError::ConnectionLost(cause))
            }
            (answer, _) => answer,
        }
    }

    /// "Cancel a payment": returns the response, a JSON array of objects, unchanged except for fields that
    /// are there twice: the last one stays. With any other response the payment may not be cancelled.
    ///
    /// The request is sent before `send_by` or not at all, as that of [`create`](Self::create).
    pub(crate) async fn cancel(
        &self,
        transaction_id: &str,
        send_by: Deadline,
        finish_by: Instant,
    ) -> Result<String, ServiceError> {
        let payment = CancelPayment {
            transaction_id: transaction_id.to_owned(),
        };
        let upstream = &self.upstream;
        let request = upstream.cancel_request();
        let json = self
            .send(&upstream.cancel, request, &payment, send_by, finish_by)
            .await?;
        let records = Record::parse_array(&json, PAYMENTS)?.into_iter();
        let mut records = records.collect::<Result<Vec<_>, _>>()?;
        let repeated = records
            .iter_mut()
            .filter_map(|record| record.keep_last().then_some(()));
        if repeated.count() == 0 {
            return Ok(json);
        }
        Ok(serde_json::to_string(&records).unwrap_or(json))
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use tender_protocol::TokenCode;
    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;

    use super::*;

    /// Sends a request with this deadline. Returns the error and the bytes that the service
    /// received.
    async fn send_until(send_by: Deadline) -> (ServiceError, String) {
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
        let (now, wall) = (Instant::now(), SystemTime::now());
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
