//! The shop: its backend signs orders and receives notifications.

use std::collections::VecDeque;
use std::time::Duration;

use jsonwebtoken::{EncodingKey, Header, encode};
use serde_json::{Value, json};

use super::doors;
use super::history::{Event, History, View};
use super::script::{Order, Reply};
use crate::clock::DAY;

/// The number of a key that signs orders.
pub(super) type Key = u16;

/// How long an order can be paid.
const VALID: Duration = DAY;

const PREFIX: &str = "INV-";

#[derive(Default)]
pub(super) struct Shop {
    /// The key that it signs with.
    pub(super) key: Key,
    pub(super) replies: VecDeque<Reply>,
}

pub(super) fn invoice_of(order: Order) -> String {
    format!("{PREFIX}{order}")
}

pub(super) fn order_of(invoice: &str) -> Option<Order> {
    invoice.strip_prefix(PREFIX)?.parse().ok()
}

/// The claims that the shop signs, without the time.
fn claims(order: Order) -> Value {
    json!({ "token": "usdtt", "quantity": "25.00", "invoiceNumber": invoice_of(order) })
}

pub(super) fn secret(key: Key) -> String {
    format!("the order key {key} of the tests, 32 characters or more")
}

impl Shop {
    /// Signs an order by the right time.
    pub(super) fn sign(&self, order: Order) -> String {
        let mut claims = claims(order);
        claims["exp"] = (doors::BEGIN + (doors::now() + VALID).as_secs()).into();
        let key = EncodingKey::from_secret(secret(self.key).as_bytes());
        encode(&Header::default(), &claims, &key).unwrap()
    }

    /// Receives a notification.
    pub(super) fn receive(id: String, body: &[u8], history: &mut History) {
        let message: Value = serde_json::from_slice(body).unwrap();
        let data = &message["data"];
        let order = &data["order"];
        let invoice = order["invoiceNumber"].as_str().unwrap_or_default();
        let signed = order_of(invoice).filter(|signed| *order == claims(*signed));
        history.add(Event::Told {
            id,
            kind: message["type"].as_str().unwrap_or_default().to_owned(),
            written_at: message["timestamp"].as_str().unwrap().parse().unwrap(),
            order: signed,
            view: View::of(data),
        });
    }
}
