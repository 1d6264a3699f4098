//! The state of the sandbox. It is in memory and lost at a restart.

use std::collections::{BTreeMap, VecDeque};

use axum::body::Bytes;
use reqwest::Url;
use serde::Serialize;
use tender_protocol::{Amount, Payment};

use crate::fault::{Endpoint, Fault};
use crate::refusal::Refusal;

/// The state of the sandbox, as `GET /sandbox/state` shows it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct State {
    /// All payments, newest first.
    pub payments: VecDeque<Entry>,
    /// Calls to each endpoint.
    pub requests: BTreeMap<Endpoint, Requests>,
    /// The remaining faults.
    pub faults: Vec<Fault>,
    /// The replacement of the token listing.
    #[serde(skip)]
    pub(crate) listing: Option<Bytes>,
    /// The webhook. It is not shown, because its path may be a secret.
    #[serde(skip)]
    pub(crate) webhook: Option<Url>,
}

/// A payment, with data that the service's record does not contain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The record that the list shows.
    pub payment: Payment,
    /// The total amount that the payer has sent, in `paymentToken`.
    pub sent: Option<Amount>,
    /// The result of the notification.
    pub notification: Notification,
}

/// The result of a payment's notification (the service's document, "Events").
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "state")]
pub enum Notification {
    /// No webhook was configured when the payment was created.
    NoWebhook,
    /// The notification is being sent.
    Pending,
    /// The webhook responded.
    Answered {
        /// The HTTP status of the response.
        status: u16,
    },
    /// The webhook could not be reached, or did not respond in time.
    Failed {
        /// The reason.
        reason: String,
    },
}

/// Calls to one endpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Requests {
    /// All calls, including those with a fault or a refusal.
    pub received: u64,
    /// Calls that reached the endpoint, without a fault or a missing header.
    pub handled: u64,
}

impl State {
    /// Adds a new payment. Returns the webhook to notify, if there is one.
    pub(crate) fn add(&mut self, payment: Payment) -> Option<Url> {
        let notification = match self.webhook {
            Some(_) => Notification::Pending,
            None => Notification::NoWebhook,
        };
        self.payments.push_front(Entry {
            payment,
            sent: None,
            notification,
        });
        self.webhook.clone()
    }

    /// The payment with this identifier.
    ///
    /// # Errors
    /// [`Refusal::UnknownPayment`] if there is none.
    pub(crate) fn entry(&mut self, transaction_id: &str) -> Result<&mut Entry, Refusal> {
        self.payments
            .iter_mut()
            .find(|entry| entry.payment.transaction_id == transaction_id)
            .ok_or_else(|| Refusal::UnknownPayment(transaction_id.to_owned()))
    }
}
