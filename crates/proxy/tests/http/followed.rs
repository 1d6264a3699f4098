//! Test support: payments that are followed, and the streams of their changes.

use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{AnyConnection, Connection as _};
use tender_protocol::path;
use tender_protocol::sent::Mark;
use tender_proxy::Config;

use crate::listener::Listener;
use crate::support::{Answer, WEBHOOK_SECRET, World, order, paying, paying_in, until};

/// Long enough for several poll cycles.
pub(crate) const SEVERAL_CYCLES: Duration = Duration::from_millis(600);

pub(crate) fn fast_polling(config: &mut Config) {
    config.tracking.poll_interval = Duration::from_millis(50);
}

/// What the statuses of tests mean.
pub(crate) fn mapped(config: &mut Config) {
    config.orders.status_pending = vec!["Confirming".to_owned()];
    config.orders.status_underpaid = vec!["Partly".to_owned()];
    config.orders.status_paid = vec!["Paid".to_owned()];
    config.orders.status_closed = vec!["Expired".to_owned()];
}

pub(crate) fn mapped_and_polled(config: &mut Config) {
    mapped(config);
    fast_polling(config);
}

/// A payment, and the receipt to follow it.
pub(crate) struct Followed {
    pub(crate) id: String,
    pub(crate) receipt: String,
    /// The record without the receipt.
    pub(crate) record: String,
}

impl From<&Answer> for Followed {
    fn from(created: &Answer) -> Self {
        let receipt = created.receipt();
        let record = created
            .body
            .replace(&format!(r#","receipt":"{receipt}""#), "");
        assert!(!record.contains("receipt"));
        Self {
            id: created.transaction_id(),
            receipt,
            record,
        }
    }
}

impl Followed {
    /// The record with this status.
    pub(crate) fn with_status(&self, id: &str, name: &str) -> Value {
        let mut record: Value = serde_json::from_str(&self.record).unwrap();
        record["statusId"] = json!(id);
        record["statusText"] = json!(name);
        record
    }
}

/// The path of the mark of this secret.
pub(crate) fn sent_path(id: &str, secret: &str) -> String {
    let digest = hex::encode(digest(&SHA256, secret.as_bytes()));
    format!("{}/{id}{}/{digest}", path::PAYMENT, path::SENT)
}

impl World {
    /// Creates the payment of an order.
    pub(crate) async fn begin(&self, invoice_number: &str) -> Followed {
        let order = order(json!({ "invoiceNumber": invoice_number }));
        Followed::from(&self.create(&paying(&order)).await)
    }

    /// Asks for the payment of the usual order in this token.
    pub(crate) async fn pays_in(&self, token: &str) -> Answer {
        self.create(&paying_in(token, &order(json!({})))).await
    }

    /// Asks for the payment of an order, as a page does that knows nothing else.
    pub(crate) async fn find(&self, order: &str) -> Answer {
        // As the elements do: an address of its own for each request.
        let path = format!("{}?_=1-2", path::PAYMENT);
        Answer::to(self.request(Method::GET, &path).bearer_auth(order)).await
    }

    /// Sets the mark of this secret: that money may have been sent.
    pub(crate) fn marks(&self, payment: &Followed, secret: &str) -> reqwest::RequestBuilder {
        let path = sent_path(&payment.id, secret);
        let request = self.request(Method::PUT, &path);
        request.bearer_auth(&payment.receipt)
    }

    /// Removes it.
    pub(crate) fn unmarks(&self, payment: &Followed, secret: &str) -> reqwest::RequestBuilder {
        let path = sent_path(&payment.id, secret);
        let request = self.request(Method::DELETE, &path);
        let body = json!({ "secret": secret });
        request.bearer_auth(&payment.receipt).json(&body)
    }

    /// Sets a mark, and returns the response.
    pub(crate) async fn mark(&self, payment: &Followed, secret: &str) -> Mark {
        let answer = Answer::to(self.marks(payment, secret)).await;
        answer.succeeds();
        serde_json::from_str(&answer.body).unwrap()
    }

    pub(crate) async fn unmark(&self, payment: &Followed, secret: &str) {
        let answer = Answer::to(self.unmarks(payment, secret)).await;
        answer.has_no_content();
    }

    /// Removes all marks, as the merchant.
    pub(crate) async fn unmark_all(&self, payment: &Followed, key: &str) -> Answer {
        let path = format!("{}/{}{}", path::PAYMENT, payment.id, path::SENT);
        let request = self.request(Method::DELETE, &path).bearer_auth(key);
        Answer::to(request.json(&json!({}))).await
    }

    /// Releases the order of a payment.
    pub(crate) async fn release(&self, id: &str, key: &str) -> Answer {
        let path = format!("{}/{id}{}", path::PAYMENT, path::RELEASE);
        Answer::to(self.request(Method::POST, &path).bearer_auth(key)).await
    }

    /// The latest record of a payment, as its buyer reads it.
    pub(crate) async fn latest(&self, payment: &Followed) -> Answer {
        self.read(&payment.id, &payment.receipt).await
    }

    pub(crate) fn listening(&self, payment: &Followed) -> reqwest::RequestBuilder {
        let Followed { id, receipt, .. } = payment;
        let path = format!("{}/{id}/events?receipt={receipt}", path::PAYMENT);
        self.request(Method::GET, &path)
    }

    pub(crate) async fn listen(&self, payment: &Followed) -> Listener {
        Listener::to(self.listening(payment)).await
    }

    /// Opens a stream and reads the first event.
    pub(crate) async fn watch(&self, payment: &Followed) -> Listener {
        let mut listener = self.listen(payment).await;
        listener.next().await;
        listener
    }

    pub(crate) async fn listen_after(&self, payment: &Followed, id: &str) -> Listener {
        Listener::to(self.listening(payment).header("last-event-id", id)).await
    }

    pub(crate) fn becomes(&self, payment: &Followed, status: &str) {
        self.set_status(&payment.id, "7", status);
    }

    /// Waits until the record has this status.
    pub(crate) async fn until_it_is(&self, payment: &Followed, status: &str) -> Answer {
        until(async || {
            let answer = self.latest(payment).await;
            (answer.payment().status.text() == status).then_some(answer)
        })
        .await
    }

    /// Sends a notification as the service does.
    pub(crate) async fn notify(&self, body: &'static str) {
        let path = format!("/webhook/{WEBHOOK_SECRET}");
        let request = self.request(Method::POST, &path).body(body);
        Answer::to(request).await.succeeds();
    }

    /// Opens the proxy's database, which must be persistent.
    pub(crate) async fn database(&self) -> AnyConnection {
        AnyConnection::connect(&self.database).await.unwrap()
    }

    /// Executes a statement in the database. Returns the number of affected rows.
    pub(crate) async fn execute(&self, statement: &'static str) -> u64 {
        let mut database = self.database().await;
        let done = sqlx::query(statement).execute(&mut database).await;
        done.unwrap().rows_affected()
    }
}

/// A proxy with a payment and a stream of it.
pub(crate) async fn watched(configure: fn(&mut Config)) -> (World, Followed, Listener) {
    let world = World::with(configure).await;
    let payment = world.begin("INV-1").await;
    let listener = world.watch(&payment).await;
    (world, payment, listener)
}
