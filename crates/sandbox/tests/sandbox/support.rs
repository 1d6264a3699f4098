//! Test support: a sandbox and its caller.

use std::ops::Deref;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::routing::post;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tender_protocol::{Payment, Record, path};
use tender_sandbox::{Config, Notification, Refusal, Sandbox};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

/// A sandbox for one test, and an HTTP client.
pub(crate) struct Caller {
    sandbox: Sandbox,
    http: Client,
}

/// A response.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) content_type: String,
    pub(crate) body: String,
}

impl Caller {
    pub(crate) async fn new() -> Self {
        Self::with(Config::on_free_ports()).await
    }

    pub(crate) async fn with(config: Config) -> Self {
        Self {
            sandbox: Sandbox::start(config).await.unwrap(),
            http: Client::new(),
        }
    }

    pub(crate) fn into_sandbox(self) -> Sandbox {
        self.sandbox
    }

    /// Sends a request to the payments address.
    pub(crate) async fn call(&self, method: Method, path: &str, body: &str) -> Answer {
        self.try_call(method, path, body).await.unwrap()
    }

    pub(crate) async fn try_call(
        &self,
        method: Method,
        path: &str,
        body: &str,
    ) -> reqwest::Result<Answer> {
        let url = format!("{}{path}", self.base_url());
        let request = self.http.request(method, url).body(body.to_owned());
        Answer::to(request).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.call(Method::GET, path, "").await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.call(Method::POST, path, &body.to_string()).await
    }

    /// Sends a request to the rates address.
    pub(crate) async fn get_rates(&self, path: &str) -> Answer {
        let url = format!("{}{path}", self.rates_base_url());
        Answer::to(self.http.get(url)).await.unwrap()
    }

    /// Creates a payment. These fields replace those of [`order`].
    pub(crate) async fn create(&self, fields: Value) -> Payment {
        self.post(path::PAYMENT, &order(fields)).await.payment()
    }

    /// Requests a payment of this quantity, as it is written.
    pub(crate) async fn price(&self, quantity: &str, token: &str, payment_token: &str) -> Answer {
        let body = format!(
            r#"{{"token": "{token}", "quantity": {quantity}, "paymentToken": "{payment_token}", "invoiceNumber": "1"}}"#
        );
        self.call(Method::POST, path::PAYMENT, &body).await
    }

    /// The result of a payment's notification.
    pub(crate) async fn notification(&self, transaction_id: &str) -> Result<Notification, Refusal> {
        in_time(self.controls().notification(transaction_id)).await
    }

    pub(crate) async fn cancel(&self, transaction_id: &str) -> Answer {
        self.post(path::CANCEL, &json!({ "transactionId": transaction_id }))
            .await
    }
}

impl Deref for Caller {
    type Target = Sandbox;

    fn deref(&self) -> &Sandbox {
        &self.sandbox
    }
}

impl Answer {
    async fn to(request: reqwest::RequestBuilder) -> reqwest::Result<Self> {
        let response = request.send().await?;
        let content_type = response.headers().get("content-type");
        Ok(Self {
            status: response.status(),
            content_type: content_type
                .map(|value| value.to_str().unwrap().to_owned())
                .unwrap_or_default(),
            body: response.text().await?,
        })
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub(crate) fn payment(&self) -> Payment {
        assert_eq!(self.status, StatusCode::OK, "{}", self.body);
        Payment::parse(&self.body).unwrap()
    }

    pub(crate) fn payments(&self) -> Vec<Payment> {
        assert_eq!(self.status, StatusCode::OK, "{}", self.body);
        serde_json::from_str(&self.body).unwrap()
    }

    /// The JSON text of a field, with all digits.
    pub(crate) fn text_of(&self, field: &str) -> String {
        let record = Record::parse(&self.body, "a payment record").unwrap();
        record.get(field).unwrap().to_owned()
    }

    /// Checks for an error response with this code and field.
    pub(crate) fn assert_refused(&self, status: u16, code: &str, field: Option<&str>) {
        assert_eq!(self.status, status, "{}", self.body);
        assert_eq!(self.content_type, "application/json");
        let error = &self.json()["error"];
        assert_eq!(error["code"], code, "{error}");
        assert_eq!(error["field"].as_str(), field, "{error}");
        assert!(!error["message"].as_str().unwrap().is_empty());
    }
}

/// The body of a create request: 10 USDT, paid in TRX. `fields` replaces fields; null removes one.
pub(crate) fn order(fields: Value) -> Value {
    let mut order = json!({
        "token": "usdtt",
        "quantity": 10,
        "paymentToken": "trx",
        "invoiceNumber": "INV-1042",
    });
    let Value::Object(fields) = fields else {
        panic!("the fields of an order are an object");
    };
    for (name, value) in fields {
        if value.is_null() {
            order.as_object_mut().unwrap().remove(&name);
        } else {
            order[name] = value;
        }
    }
    order
}

/// The notifications that arrive at a merchant's webhook.
pub(crate) struct Arrivals(mpsc::UnboundedReceiver<String>);

impl Arrivals {
    /// The body of the next notification.
    pub(crate) async fn next(&mut self) -> String {
        in_time(self.0.recv()).await.unwrap()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Waits for an event that arrives soon on any machine; the timeout only ends a failed test.
pub(crate) async fn in_time<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(30), future)
        .await
        .expect("it came within half a minute")
}

/// Starts a merchant's webhook. Returns its URL and its notifications.
pub(crate) async fn webhook(answer: StatusCode) -> (reqwest::Url, Arrivals) {
    let (arrived, arrivals) = mpsc::unbounded_channel();
    let inbox = Router::new()
        .route(
            "/notify",
            post(
                async move |State(arrived): State<mpsc::UnboundedSender<String>>, body: String| {
                    arrived.send(body).unwrap();
                    answer
                },
            ),
        )
        .with_state(arrived);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(axum::serve(listener, inbox).into_future());
    (
        format!("http://{address}/notify").parse().unwrap(),
        Arrivals(arrivals),
    )
}
