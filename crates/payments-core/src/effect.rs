//! The effects: requests, timers, and events for the page.

use tender_protocol::client::Failure;
use tender_protocol::{NewOrder, Payment, Status};

use crate::key::MerchantKey;
use crate::list::Position;
use crate::state::OrderAction;

/// A request for one page of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListRequest {
    /// The key to send; `None` if the shop's backend adds it.
    pub key: Option<MerchantKey>,
    /// The number of the page, counted from 1.
    pub page: u32,
    /// Why the page is requested.
    pub purpose: Purpose,
}

/// A request for notifications.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveriesRequest {
    /// The key to send; `None` if the shop's backend adds it.
    pub key: Option<MerchantKey>,
    /// The payment whose notifications are requested; `None` for those of all payments.
    pub transaction_id: Option<String>,
}

/// Why a page of the list is requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To open the dashboard.
    Initial,
    /// To load new payments, which belong at this position.
    Newest(Position),
    /// To load older payments.
    Older,
    /// To verify, after loading older payments, that no page was skipped meanwhile.
    Verify,
    /// To read the status of cancelled payments.
    CancelStatus,
}

/// Something that the driver has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Fetch a page of the list. The response is
    /// [`Event::ListFetched`](crate::Event::ListFetched).
    FetchList(ListRequest),
    /// Cancel a payment. The response is
    /// [`Event::CancelFinished`](crate::Event::CancelFinished).
    CancelPayment {
        /// The key to send.
        key: Option<MerchantKey>,
        /// The payment.
        transaction_id: String,
    },
    /// Fetch what the proxy's ledger says about these payments. The response is
    /// [`Event::LedgerFetched`](crate::Event::LedgerFetched).
    FetchLedger {
        /// The key to send.
        key: Option<MerchantKey>,
        /// The payments.
        transaction_ids: Vec<String>,
    },
    /// Fetch the newest notifications to the shop's backend. The response is
    /// [`Event::DeliveriesFetched`](crate::Event::DeliveriesFetched).
    FetchDeliveries(DeliveriesRequest),
    /// Send a notification again. The response is
    /// [`Event::ResendFinished`](crate::Event::ResendFinished).
    Resend {
        /// The key to send.
        key: Option<MerchantKey>,
        /// The id of the notification.
        id: String,
    },
    /// Do this about the order of a payment. The response is
    /// [`Event::OrderActionFinished`](crate::Event::OrderActionFinished).
    ChangeOrder {
        /// The key to send.
        key: Option<MerchantKey>,
        /// The payment.
        transaction_id: String,
        /// What to do.
        action: OrderAction,
    },
    /// Sign an order. The response is [`Event::OrderSigned`](crate::Event::OrderSigned).
    SignOrder {
        /// The key to send.
        key: Option<MerchantKey>,
        /// The order.
        order: NewOrder,
    },
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
    /// Offer a file for download.
    Download {
        /// The file name.
        name: &'static str,
        /// The media type.
        media_type: &'static str,
        /// The text of the file.
        content: String,
    },
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
