//! What service, buyers, shop and merchant have seen, in its order.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

use super::remains::Remains;
use super::script::{Device, Order, Status};

#[derive(Default)]
pub(super) struct History {
    pub(super) events: Vec<(Duration, Event)>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Event {
    /// The service has created a payment.
    Created { order: Order, payment: Payment },
    /// The service has created this payment by itself: it executed a request twice.
    Doubled { id: String },
    /// The proxy has the service's answer to the request to create it.
    CreateAnswered { id: String },
    /// The service has executed a request to cancel a payment.
    CancelExecuted { id: String },
    /// The service has changed the status of a payment.
    Moved { id: String, status: Status },
    /// The proxy has a page of the list with this payment. `is_odd`: the record contradicts the payment.
    Listed {
        id: String,
        status: Status,
        is_odd: bool,
    },

    /// A device was shown a payment of its order.
    Shown {
        order: Order,
        device: Device,
        how: How,
        view: View,
    },
    /// A device was told that its order has no payment.
    ShownNothing { order: Order, device: Device },
    /// A device got this problem.
    Refused {
        order: Order,
        device: Device,
        code: String,
    },
    /// A page asks to mark a payment.
    Marks(Mark),
    /// The mark stands. If it is the first, the buyer sends money.
    Marked { mark: Mark, is_first: bool },
    /// The page asks to remove its mark.
    Unmarks(Mark),

    /// The merchant asks for it.
    MerchantCancels { order: Order },
    /// The merchant has released the order of a payment.
    Released { order: Order, id: String },
    /// The shop has asked for the payments of an order.
    Asked {
        order: Order,
        views: Vec<View>,
        doubts: usize,
        creating: bool,
        /// Whether the proxy may not know earlier payments.
        is_memory_short: bool,
    },
    /// The shop has got a notification.
    Told {
        /// The `webhook-id`, which is the same each time.
        id: String,
        kind: String,
        written_at: Timestamp,
        order: Option<Order>,
        view: View,
    },
    /// The shop has answered that it accepts a notification.
    Accepted { id: String },

    /// The operator has mapped the statuses, or removed the mapping.
    Mapped(bool),
    /// The proxy runs now, or doesn't.
    Runs(bool),
    /// The operator has restored a backup of this time. The proxy no longer knows what it heard and said after it.
    Restored { since: Duration },
    /// So often was the list asked for within a minute.
    ListCalls(usize),
    /// What the database has after so many days in which the proxy ran.
    Remains { days: u64, remains: Remains },
}

/// How a device was shown a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Create,
    Find,
    Read,
    Stream,
}

/// A mark that money may have been sent for a payment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mark {
    /// The payment.
    pub(super) id: String,
    pub(super) secret: String,
}

/// A payment, as the service created it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Payment {
    pub(super) id: String,
    /// What is to be paid.
    pub(super) quote: String,
    pub(super) wallet: String,
}

/// A payment, as somebody is shown it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct View {
    pub(super) payment: Payment,
    pub(super) invoice: String,
    pub(super) state: String,
    /// Whether another payment of the order is paid.
    pub(super) is_order_paid: bool,
    /// Whether a page asks for money.
    pub(super) asks: bool,
}

impl View {
    pub(super) fn of(record: &Value) -> Self {
        let text = |field: &str| match &record[field] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        };
        let flag = |field: &str| record[field] == true;
        let state = text("state");
        let is_open = state.is_empty() || state == "open";
        let is_held = ["orderPaid", "orderSeen", "sent", "readOnly", "outdated"]
            .into_iter()
            .any(flag);
        Self {
            payment: Payment {
                id: text("transactionId"),
                quote: text("quantityPay"),
                wallet: text("wallet"),
            },
            invoice: text("invoiceNumber"),
            is_order_paid: flag("orderPaid"),
            asks: is_open && !is_held,
            state,
        }
    }
}

impl Event {
    /// Whether it is so whatever the proxy remembers.
    pub(super) fn outlives_memory(&self) -> bool {
        matches!(
            self,
            Self::Created { .. }
                | Self::Doubled { .. }
                | Self::CancelExecuted { .. }
                | Self::Moved { .. }
                | Self::Mapped(_)
                | Self::Runs(_)
                | Self::Restored { .. }
        )
    }
}

impl History {
    pub(super) fn add(&mut self, event: Event) {
        self.events.push((super::doors::now(), event));
    }
}

/// A line per event, for people, and to compare two runs.
impl fmt::Display for History {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, event) in &self.events {
            writeln!(formatter, "{:>12.3} {event:?}", at.as_secs_f64())?;
        }
        Ok(())
    }
}
