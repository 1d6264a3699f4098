//! Notifications as the proxy sends them, and forged ones.

use std::time::{SystemTime, UNIX_EPOCH};

use reqwest::{Client, Response};
use serde::Deserialize;
use standardwebhooks::Webhook;
use uuid::Uuid;

use crate::contract::contract;

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
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Delivery {
    pub(crate) id: String,
    pub(crate) timestamp: String,
    pub(crate) signature: String,
    pub(crate) body: String,
}

impl Delivery {
    /// A valid one with a new id.
    pub(crate) fn of(body: &str) -> Self {
        let mut delivery = Self {
            id: Uuid::new_v4().to_string(),
            timestamp: now().to_string(),
            signature: String::new(),
            body: body.to_owned(),
        };
        delivery.signature = delivery.sign(&contract().secret);
        delivery
    }

    /// The same one, which a later try signs again.
    pub(crate) fn repeated(&self, seconds: i64) -> Self {
        let mut delivery = self.later(seconds);
        delivery.signature = delivery.sign(&contract().secret);
        delivery
    }

    /// The same one with a later timestamp, if it has one.
    pub(crate) fn later(&self, seconds: i64) -> Self {
        let mut delivery = self.clone();
        if let Ok(timestamp) = self.timestamp.parse::<i64>() {
            delivery.timestamp = (timestamp + seconds).to_string();
        }
        delivery
    }

    pub(crate) fn sign(&self, secret: &str) -> String {
        let webhook = Webhook::new(secret).unwrap();
        let timestamp = self.timestamp.parse().unwrap();
        webhook
            .sign(&self.id, timestamp, self.body.as_bytes())
            .unwrap()
    }
}

pub(crate) fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    now.as_secs().try_into().unwrap()
}

/// Sends a delivery to this address.
pub(crate) async fn post(client: &Client, address: &str, delivery: &Delivery) -> Response {
    let request = client
        .post(address)
        .header("webhook-id", &delivery.id)
        .header("webhook-timestamp", &delivery.timestamp)
        .header("webhook-signature", &delivery.signature)
        .header("content-type", "application/json")
        .body(delivery.body.clone());
    request.send().await.unwrap()
}
