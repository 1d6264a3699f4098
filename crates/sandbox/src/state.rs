//! All that the sandbox remembers. It lives in memory: a restart forgets it.

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
    /// Every payment, the newest first.
    pub payments: VecDeque<Entry>,
    /// Calls to each endpoint.
    pub requests: BTreeMap<Endpoint, Requests>,
    /// The faults that have not run out.
    pub faults: Vec<Fault>,
    /// What stands in for the token listing.
    #[serde(skip)]
    pub(crate) listing: Option<Bytes>,
    /// Where payments are announced. Not shown: its path may be a secret.
    #[serde(skip)]
    pub(crate) webhook: Option<Url>,
}

/// A payment, and what the service's record of it does not tell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The record, as the list shows it.
    pub payment: Payment,
    /// What the payer has sent in all, in `paymentToken`.
    pub sent: Option<Amount>,
    /// What became of the notification.
    pub notification: Notification,
}

/// What became of the notification of a payment (the service's document, "Events").
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "state")]
pub enum Notification {
    /// No webhook was configured when the payment was created.
    NoWebhook,
    /// On its way.
    Pending,
    /// The webhook answered.
    Answered {
        /// The HTTP status of its answer.
        status: u16,
    },
    /// The webhook could not be reached, or did not answer in time.
    Failed {
        /// Why.
        reason: String,
    },
}

/// Calls to one endpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Requests {
    /// All that came in, those that met a fault or were refused among them.
    pub received: u64,
    /// Those that reached the endpoint: neither stopped by a fault nor for a missing header.
    pub handled: u64,
}

impl State {
    /// Adds a new payment; where it is to be announced, returns the webhook.
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
    /// [`Refusal::UnknownPayment`] where there is none.
    pub(crate) fn entry(&mut self, transaction_id: &str) -> Result<&mut Entry, Refusal> {
        self.payments
            .iter_mut()
            .find(|entry| entry.payment.transaction_id == transaction_id)
            .ok_or_else(|| Refusal::UnknownPayment(transaction_id.to_owned()))
    }
}
