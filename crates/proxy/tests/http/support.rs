//! Test support: the sandbox, the proxy in front of it, and a page that calls the proxy.

use std::time::Duration;

use jsonwebtoken::{EncodingKey, Header, encode, get_current_timestamp};
use reqwest::header::HeaderMap;
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tender_protocol::{Payment, Problem, ProblemCode, Record, Status, path};
use tender_proxy::{Config, OrderKey, Running, Secret};
use tender_sandbox::{Endpoint, Fault, Sandbox};

/// The key that the shop signs its orders with.
pub(crate) const ORDER_SECRET: &str = "an order key of the tests, 32 characters or more";

pub(crate) struct World {
    pub(crate) sandbox: Sandbox,
    pub(crate) proxy: Running,
    config: Config,
    http: Client,
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// Starts with a changed [`config`].
    pub(crate) async fn with(change: impl FnOnce(&mut Config)) -> Self {
        Self::before(tender_sandbox::Config::on_free_ports(), change).await
    }

    pub(crate) async fn before(
        sandbox: tender_sandbox::Config,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let sandbox = Sandbox::start(sandbox).await.unwrap();
        let mut config = config(sandbox.base_url(), sandbox.rates_base_url());
        config.store.database = crate::database();
        change(&mut config);
        Self {
            sandbox,
            proxy: tender_proxy::start(config.clone()).await.unwrap(),
            config,
            http: Client::new(),
        }
    }

    /// Starts another instance of the proxy and sends later requests to it. Returns the previous
    /// instance, which keeps running.
    pub(crate) async fn replace_proxy(&mut self, change: impl FnOnce(&mut Config)) -> Running {
        let mut config = self.config.clone();
        change(&mut config);
        let other = tender_proxy::start(config).await.unwrap();
        std::mem::replace(&mut self.proxy, other)
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        request(&self.http, &self.proxy, method, path)
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        Answer::to(self.request(Method::GET, path)).await
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        self.request(Method::POST, path).json(body)
    }

    /// Creates a payment, as a page does.
    pub(crate) async fn create(&self, body: &Value) -> Answer {
        Answer::to(self.post(path::PAYMENT, body)).await
    }

    /// Creates a payment with an `Idempotency-Key`.
    pub(crate) async fn create_once(&self, key: &str, body: &Value) -> Answer {
        let request = self.post(path::PAYMENT, body);
        Answer::to(request.header("idempotency-key", key)).await
    }

    pub(crate) async fn cancel(&self, transaction_id: &str, token: &str) -> Answer {
        let body = json!({ "transactionId": transaction_id });
        Answer::to(self.post(path::CANCEL, &body).bearer_auth(token)).await
    }

    /// Adds a fault of the service.
    pub(crate) fn inject(&self, fault: Fault) {
        self.sandbox.controls().inject(fault);
    }

    /// The service's payments, newest first.
    pub(crate) fn payments(&self) -> Vec<Payment> {
        let state = self.sandbox.controls().state();
        state
            .payments
            .into_iter()
            .map(|entry| entry.payment)
            .collect()
    }

    /// The transactionIds of the payments.
    pub(crate) fn transactions(&self) -> Vec<String> {
        let payments = self.payments().into_iter();
        payments.map(|payment| payment.transaction_id).collect()
    }

    /// The transactionIds of the payments that can be paid, newest first.
    pub(crate) fn open(&self) -> Vec<String> {
        let payments = self.payments().into_iter();
        payments
            .filter(|payment| payment.status == Status::Created)
            .map(|payment| payment.transaction_id)
            .collect()
    }

    /// How many calls to an endpoint the service got.
    pub(crate) fn calls(&self, endpoint: Endpoint) -> u64 {
        let requests = self.sandbox.controls().state().requests;
        requests
            .get(&endpoint)
            .map_or(0, |requests| requests.received)
    }

    /// Waits until the service got this many calls.
    pub(crate) async fn until_called(&self, endpoint: Endpoint, calls: u64) {
        while self.calls(endpoint) < calls {
            tokio::task::yield_now().await;
        }
    }
}

/// A configuration with a free port and the shop's key.
pub(crate) fn config(base_url: &str, rates_base_url: &str) -> Config {
    let mut config = Config::new(base_url, rates_base_url).unwrap();
    config.server.listen.set_port(0);
    // The list is only read when a test wants it.
    config.tracking.poll_interval = Duration::from_hours(1);
    // The sandbox has finished a request when it closes the connection.
    config.upstream.settle = Duration::ZERO;
    // Every fault must be visible, and all calls come from one address.
    config.upstream.retries = 0;
    config.upstream.failures = 0;
    config.limits.tokens = 0;
    config.limits.create = 0;
    config.limits.failures = 0;
    config.orders.keys = vec![OrderKey::hs256(None, &Secret::from(ORDER_SECRET))];
    config
}

pub(crate) fn request(
    http: &Client,
    proxy: &Running,
    method: Method,
    path: &str,
) -> RequestBuilder {
    http.request(method, format!("http://{}{path}", proxy.address()))
}

/// The claims of an order that is valid for a minute, with some fields replaced.
pub(crate) fn claims(fields: Value) -> Value {
    let usual = json!({
        "token": "usdtt",
        "quantity": "25.00",
        "invoiceNumber": "INV-1",
        "exp": get_current_timestamp() + 60,
    });
    merged(usual, fields)
}

/// An order that the shop's backend has signed.
pub(crate) fn order(fields: Value) -> String {
    sign(&Header::default(), &claims(fields), ORDER_SECRET)
}

pub(crate) fn sign(header: &Header, claims: &Value, secret: &str) -> String {
    encode(header, claims, &EncodingKey::from_secret(secret.as_bytes())).unwrap()
}

/// A create request that pays an order in TRX.
pub(crate) fn paying(order: &str) -> Value {
    json!({ "order": order, "paymentToken": "trx" })
}

/// A create request that pays an order in another token.
pub(crate) fn paying_in(payment_token: &str, order: &str) -> Value {
    json!({ "order": order, "paymentToken": payment_token })
}

/// A create request without a signed order, with some fields replaced.
pub(crate) fn plain(fields: Value) -> Value {
    let usual = json!({
        "token": "usdtt",
        "quantity": "25.00",
        "paymentToken": "trx",
        "invoiceNumber": "INV-1",
    });
    merged(usual, fields)
}

/// Adds default fields that `fields` does not contain; null removes a field.
fn merged(mut usual: Value, fields: Value) -> Value {
    let Value::Object(fields) = fields else {
        panic!("the fields are an object");
    };
    for (name, value) in fields {
        usual[name] = value;
    }
    usual
        .as_object_mut()
        .unwrap()
        .retain(|_, value| !value.is_null());
    usual
}

/// A response of the proxy.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) async fn to(request: RequestBuilder) -> Self {
        let response = request.send().await.unwrap();
        Self {
            status: response.status(),
            headers: response.headers().clone(),
            body: response.text().await.unwrap(),
        }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// The record of a created payment.
    pub(crate) fn record(&self) -> Record {
        assert_eq!(self.status, StatusCode::OK, "{}", self.body);
        Record::parse(&self.body, "a payment record").unwrap()
    }

    pub(crate) fn payment(&self) -> Payment {
        Payment::try_from(&self.record()).unwrap()
    }

    pub(crate) fn transaction_id(&self) -> String {
        self.payment().transaction_id
    }

    pub(crate) fn receipt(&self) -> String {
        let record = self.record();
        record.string("receipt").expect("a receipt")
    }

    /// The problem, which must be complete (RFC 9457).
    pub(crate) fn problem(&self) -> Problem {
        let problem: Problem = serde_json::from_str(&self.body).unwrap();
        assert_eq!(self.header("content-type"), "application/problem+json");
        assert_eq!(problem.status, self.status.as_u16());
        assert_eq!(problem.status, problem.code.status());
        assert_eq!(problem.title, problem.code.title());
        assert_eq!(
            problem.kind,
            format!("urn:problem-type:tender:{}", problem.code.as_str())
        );
        assert!(problem.detail.ends_with('.'), "{}", problem.detail);
        problem
    }

    #[track_caller]
    pub(crate) fn is_refused_as(&self, code: ProblemCode) {
        assert_eq!(self.problem().code, code, "{}", self.body);
    }
}
