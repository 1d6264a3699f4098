//! Test support: the sandbox, the proxy in front of it, and a page that calls the proxy.

use std::fmt::Display;
use std::sync::Mutex;
use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tender_protocol::{Payment, Status, path};
use tender_proxy::{Config, OrderKey, Running, Secret};
use tender_sandbox::{Endpoint, Fault, Sandbox};

pub(crate) use crate::answer::Answer;
pub(crate) use crate::bodies::{order, paying, paying_in, plain, sign};
use crate::database::{database, persistent_database};

/// The key that the shop signs its orders with.
pub(crate) const ORDER_SECRET: &str = "an order key of the tests, 32 characters or more";
pub(crate) const MERCHANT_KEY: &str = "a merchant key of the tests, 32 characters or more";
pub(crate) const WEBHOOK_SECRET: &str = "a-webhook-secret-of-the-tests-32-characters-or-more";

pub(crate) struct World {
    pub(crate) sandbox: Sandbox,
    pub(crate) proxy: Running,
    pub(crate) config: Config,
    http: Client,
    /// The payment that the page created last, and its receipt.
    last: Mutex<Option<(String, String)>>,
    /// The address of the database.
    pub(crate) database: String,
    /// The directory of a persistent database.
    _directory: Option<TempDir>,
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// Starts with a changed [`config`].
    pub(crate) async fn with(change: impl FnOnce(&mut Config)) -> Self {
        Self::before(tender_sandbox::Config::on_free_ports(), change).await
    }

    /// Starts with a changed [`config`] and a database that survives an instance.
    pub(crate) async fn persistent(change: impl FnOnce(&mut Config)) -> Self {
        Self::on(persistent_database(), change).await
    }

    /// Starts with a changed [`config`] and this database.
    pub(crate) async fn on(
        (database, directory): (String, Option<TempDir>),
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let world = Self::with(|config| {
            change(config);
            config.store.database = database.parse().unwrap();
        });
        let world = world.await;
        Self {
            database,
            _directory: directory,
            ..world
        }
    }

    pub(crate) async fn before(
        sandbox: tender_sandbox::Config,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let sandbox = Sandbox::start(sandbox).await.unwrap();
        let mut config = config(sandbox.base_url(), sandbox.rates_base_url());
        let database = database();
        config.store.database = database.parse().unwrap();
        change(&mut config);
        Self {
            database,
            sandbox,
            proxy: tender_proxy::start(config.clone()).await.unwrap(),
            config,
            http: Client::new(),
            last: Mutex::default(),
            _directory: None,
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
        let url = format!("http://{}{path}", self.proxy.address());
        self.http.request(method, url)
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        Answer::to(self.request(Method::GET, path)).await
    }

    /// A request of the merchant.
    pub(crate) fn by_merchant(&self, method: Method, path: &str) -> RequestBuilder {
        self.request(method, path).bearer_auth(MERCHANT_KEY)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        self.request(Method::POST, path).json(body)
    }

    /// Creates a payment, as a page does that may replace the one it created last.
    pub(crate) async fn create(&self, body: &Value) -> Answer {
        self.create_in_place(None, body).await
    }

    /// Creates a payment with an `Idempotency-Key`.
    pub(crate) async fn create_once(&self, key: &str, body: &Value) -> Answer {
        self.create_in_place(Some(key), body).await
    }

    /// Creates a payment, as a page in another tab does, which knows no receipt.
    pub(crate) async fn create_in_another_tab(&self, body: &Value) -> Answer {
        Answer::to(self.post(path::PAYMENT, body)).await
    }

    /// A request to create a payment instead of this one.
    pub(crate) fn replacing(&self, id: &str, mut body: Value) -> RequestBuilder {
        body["replaces"] = json!(id);
        self.post(path::PAYMENT, &body)
    }

    async fn create_in_place(&self, key: Option<&str>, body: &Value) -> Answer {
        let last = self.last.lock().unwrap().clone();
        let mut request = match last.filter(|_| body.get("order").is_some()) {
            Some((id, receipt)) => self.replacing(&id, body.clone()).bearer_auth(receipt),
            None => self.post(path::PAYMENT, body),
        };
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        let answer = Answer::to(request).await;
        if answer.status == StatusCode::OK {
            let created = (answer.transaction_id(), answer.receipt());
            *self.last.lock().unwrap() = Some(created);
        }
        answer
    }

    pub(crate) async fn cancel(&self, transaction_id: &str, token: &str) -> Answer {
        let body = json!({ "transactionId": transaction_id });
        Answer::to(self.post(path::CANCEL, &body).bearer_auth(token)).await
    }

    /// Cancels a created payment with its receipt.
    pub(crate) async fn cancel_created(&self, created: &Answer) -> Answer {
        let id = created.transaction_id();
        self.cancel(&id, &created.receipt()).await
    }

    /// Reads the latest record of a payment.
    pub(crate) async fn read(&self, transaction_id: &str, token: &str) -> Answer {
        let path = format!("{}/{transaction_id}", path::PAYMENT);
        Answer::to(self.request(Method::GET, &path).bearer_auth(token)).await
    }

    /// Reads the list as the merchant, with a query.
    pub(crate) async fn list(&self, query: &str) -> Answer {
        let path = format!("{}{query}", path::LIST);
        Answer::to(self.by_merchant(Method::GET, &path)).await
    }

    /// Sets the status of a payment at the service.
    pub(crate) fn set_status(&self, transaction_id: &str, id: &str, text: &str) {
        let status = Status::new(id, text).unwrap();
        let controls = self.sandbox.controls();
        controls.set_status(transaction_id, status).unwrap();
    }

    /// Adds a fault of the service.
    pub(crate) fn inject(&self, fault: Fault) {
        self.sandbox.controls().inject(fault);
    }

    /// The service's payments, newest first.
    pub(crate) fn payments(&self) -> Vec<Payment> {
        let entries = self.sandbox.controls().state().payments.into_iter();
        entries.map(|entry| entry.payment).collect()
    }

    /// The transactionIds of the payments.
    pub(crate) fn transactions(&self) -> Vec<String> {
        let payments = self.payments().into_iter();
        payments.map(|payment| payment.transaction_id).collect()
    }

    /// The transactionIds of the payments that can be paid, newest first.
    pub(crate) fn open(&self) -> Vec<String> {
        let mut payments = self.payments();
        payments.retain(|payment| payment.status == Status::Created);
        let open = payments.into_iter();
        open.map(|payment| payment.transaction_id).collect()
    }

    /// How many calls to an endpoint the service got.
    pub(crate) fn calls(&self, endpoint: Endpoint) -> u64 {
        let requests = self.sandbox.controls().state().requests;
        let requests = requests.get(&endpoint);
        requests.map_or(0, |requests| requests.received)
    }

    /// Waits until the service got this many calls.
    pub(crate) async fn until_called(&self, endpoint: Endpoint, calls: u64) {
        while self.calls(endpoint) < calls {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

/// Asks again until there is an answer.
pub(crate) async fn until<T>(ask: impl AsyncFn() -> Option<T>) -> T {
    let answered = async {
        loop {
            if let Some(answer) = ask().await {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let answered = tokio::time::timeout(Duration::from_mins(1), answered).await;
    answered.expect("an answer within a minute")
}

/// The service responds to calls of an endpoint like this.
pub(crate) fn responds(endpoint: Endpoint, status: StatusCode, body: impl Display) -> Fault {
    Fault::respond(status, body.to_string()).on(endpoint)
}

/// The service's list responds with this page.
pub(crate) fn page(records: impl Display) -> Fault {
    responds(Endpoint::List, StatusCode::OK, records)
}

/// A configuration with a free port, and the keys of the shop, the merchant and the webhook.
pub(crate) fn config(base_url: &str, rates_base_url: &str) -> Config {
    let mut config = Config::new(base_url, rates_base_url).unwrap();
    config.server.listen.set_port(0);
    // The list is only read when a test wants it.
    config.tracking.poll_interval = Duration::from_hours(1);
    // The sandbox has finished a request when it closes the connection.
    config.upstream.settle = Duration::ZERO;
    // Every fault must be visible, and all calls come from one address.
    config.upstream.retries = 0;
    config.limits.tokens = 0;
    config.limits.create = 0;
    config.limits.failures = 0;
    // Recorded orders expire in 2100.
    config.orders.max_days = u16::MAX;
    config.orders.keys = vec![OrderKey::hs256(None, &Secret::from(ORDER_SECRET))];
    config.access.merchant_keys = vec![Secret::from(MERCHANT_KEY)];
    config.access.webhook_secrets = vec![Secret::from(WEBHOOK_SECRET)];
    config
}
