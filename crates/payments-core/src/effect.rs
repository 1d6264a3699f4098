//! The effects: requests, timers, and events for the page.

use tender_protocol::client::Failure;
use tender_protocol::{NewOrder, Payment, Status};

use crate::key::MerchantKey;
use crate::state::OrderAction;

/// A request to the proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Fetch a part of the list.
    List {
        /// The payment after which it begins; `None` for the newest payments.
        after: Option<String>,
        /// Why it is requested.
        purpose: Purpose,
    },
    /// Cancel the payment with this `transactionId`.
    Cancel(String),
    /// Fetch what the proxy's ledger says about these payments.
    Ledger(Vec<String>),
    /// Fetch the newest notifications to the shop's backend: of this payment, or of all.
    Deliveries(Option<String>),
    /// Send the notification with this id again.
    Resend(String),
    /// Do this about the order of the payment with this `transactionId`.
    ChangeOrder(String, OrderAction),
    /// Sign an order.
    SignOrder(NewOrder),
}

/// Why a part of the list is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To open the dashboard, or to start again.
    Initial,
    /// To load new payments.
    Newest,
    /// To load older payments.
    Older,
    /// To read the status of cancelled payments.
    CancelStatus,
}

/// Something that the driver has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Send a request with this key; without one if the shop's backend adds it. The response is
    /// [`Event::RequestFinished`](crate::Event::RequestFinished).
    Send(Option<MerchantKey>, Request),
    /// Send [`Event::DeliveriesDue`](crate::Event::DeliveriesDue) in this many seconds. This replaces an
    /// earlier timer.
    ScheduleDeliveries(u32),
    /// Connect to the event stream. This replaces an open connection.
    Subscribe {
        /// The key to send.
        key: Option<MerchantKey>,
        /// The id of the last event that was received.
        last_event_id: Option<String>,
    },
    /// Close the event stream.
    Unsubscribe,
    /// Send [`Event::PollDue`](crate::Event::PollDue) in this many seconds. This replaces an earlier
    /// timer.
    SchedulePoll(u32),
    /// Save this key in the tab's `sessionStorage`, or remove the saved one.
    StoreKey(Option<MerchantKey>),
    /// Reload the page.
    ReloadPage,
    /// Offer a CSV file with this text for download.
    OfferCsv(String),
    /// Dispatch an event to the page.
    Emit(HostEvent),
}

/// An event for the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostEvent {
    /// The list is shown, with this many payments loaded.
    Ready(usize),
    /// A payment is new.
    Created(Box<Payment>),
    /// The status of a payment has changed.
    Status {
        /// The payment.
        payment: Box<Payment>,
        /// The previous status.
        previous: Status,
    },
    /// Something failed.
    Error(Failure),
}
