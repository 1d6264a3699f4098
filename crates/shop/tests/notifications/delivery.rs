//! Notifications as the proxy sends them, and forged ones.

use std::time::{SystemTime, UNIX_EPOCH};

use reqwest::{Client, StatusCode};
use standardwebhooks::Webhook;
use uuid::Uuid;

/// The receivers' secret.
pub(crate) const SECRET: &str = "whsec_dGhlIG5vdGlmeSBzZWNyZXQgb2YgdGhlIHRlc3RzLCAzMg==";

/// Another one.
pub(crate) const OTHER_SECRET: &str = "whsec_b3RoZXIgc2VjcmV0IG9mIHRoZSB0ZXN0cywgMzIgYnl0ZXM=";

/// The receivers' order key.
pub(crate) const ORDER_KEY: &str = "2026-02=the order key of the tests, 32 characters or more";

/// The body of a notification that an order is paid. The service's record names the token by its ticker.
pub(crate) fn paid(invoice: &str, transaction_id: &str, quantity: &str) -> String {
    format!(
        r#"{{"type":"payment.paid","timestamp":"2026-03-02T10:00:00Z","data":{{"transactionId":"{transaction_id}","token":"USDT","paymentToken":"BTC","quantity":{quantity},"quantityPay":0.00071234,"purchaseName":"Zoë","invoiceNumber":"{invoice}","statusId":"2","statusText":"Paid","state":"paid","wallet":"w","order":{{"token":"usdtt","quantity":"{quantity}","invoiceNumber":"{invoice}"}}}}}}"#
    )
}

/// The same notification of a proxy in test mode.
pub(crate) fn in_test_mode(event: &str) -> String {
    event.replace(r#""state""#, r#""testMode":true,"state""#)
}

/// A request to the receiver.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    headers: [(&'static str, String); 3],
    body: String,
}

impl Delivery {
    /// A valid one with a new id.
    pub(crate) fn of(body: &str) -> Self {
        Self::new(&Uuid::new_v4().to_string(), body, SECRET, 0)
    }

    fn new(id: &str, body: &str, secret: &str, seconds: i64) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let time = i64::try_from(now.as_secs()).unwrap() + seconds;
        let webhook = Webhook::new(secret).unwrap();
        let signature = webhook.sign(id, time, body.as_bytes()).unwrap();
        Self {
            headers: [
                ("webhook-id", id.to_owned()),
                ("webhook-timestamp", time.to_string()),
                ("webhook-signature", signature),
            ],
            body: body.to_owned(),
        }
    }

    pub(crate) fn signature(&self) -> &str {
        &self.headers[2].1
    }

    /// The same one, sent at another time. `seconds` are from now.
    pub(crate) fn at(&self, seconds: i64) -> Self {
        Self::new(&self.headers[0].1, &self.body, SECRET, seconds)
    }

    /// The same one, signed with another secret.
    pub(crate) fn signed_with(&self, secret: &str) -> Self {
        Self::new(&self.headers[0].1, &self.body, secret, 0)
    }

    /// The same one with a header that was changed after it was signed.
    pub(crate) fn but_has(&self, name: &str, value: &str) -> Self {
        let mut changed = self.clone();
        let mut headers = changed.headers.iter_mut();
        let (_, header) = headers.find(|(header, _)| *header == name).unwrap();
        value.clone_into(header);
        changed
    }

    /// The same one with a body that was changed after it was signed.
    pub(crate) fn but_sends(&self, body: &str) -> Self {
        Self {
            body: body.to_owned(),
            ..self.clone()
        }
    }
}

/// Sends a delivery to this address.
pub(crate) async fn post(client: &Client, address: &str, delivery: &Delivery) -> StatusCode {
    let mut request = client.post(address);
    for (name, value) in &delivery.headers {
        request = request.header(*name, value);
    }
    let request = request.header("content-type", "application/json");
    let answer = request.body(delivery.body.clone()).send().await.unwrap();
    answer.status()
}
