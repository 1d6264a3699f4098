//! The events: responses, timers, the page, and what the merchant does.

use tender_protocol::client::FetchResult;
use tender_protocol::client::typed::DecimalSeparator;

use crate::effect::Request;
use crate::filter::Filter;
use crate::key::MerchantKey;
use crate::sort::Sort;
use crate::state::{LinkInput, OrderAction};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The element has been mounted. Carries the key that was saved in the tab, if any.
    Started(Option<MerchantKey>),
    /// A request that was sent with this key has finished.
    RequestFinished(Option<MerchantKey>, Request, FetchResult),
    /// The timer of [`Effect::ScheduleDeliveries`](crate::Effect::ScheduleDeliveries) has fired.
    DeliveriesDue,
    /// The event stream is connected.
    StreamOpened,
    /// The event stream has delivered a message.
    StreamMessage {
        /// The type of the event.
        event: String,
        /// The payload.
        data: String,
        /// The id of the last event that had one.
        last_event_id: Option<String>,
    },
    /// The event stream has disconnected, or could not connect this time.
    StreamDisconnected,
    /// The proxy does not offer an event stream.
    StreamUnsupported,
    /// The timer of [`Effect::SchedulePoll`](crate::Effect::SchedulePoll) has fired.
    PollDue,
    /// The page has become visible or is back online, or has been hidden.
    VisibilityChanged(bool),

    /// The merchant has submitted a key.
    KeySubmitted(String),
    /// The merchant wants the key to be removed from this tab.
    KeyForgotten,
    /// The merchant, or the page, wants to load what is new.
    RefreshRequested,
    /// The merchant wants to reload the page.
    ReloadRequested,
    /// The merchant wants the page of newer payments.
    NewerPageRequested,
    /// The merchant wants the page of older payments. It is loaded if necessary.
    OlderPageRequested,
    /// The merchant has changed what is searched for.
    FilterChanged(Filter),
    /// The merchant has chosen an order.
    SortChanged(Sort),
    /// The merchant wants to search older pages until one contains a match.
    SearchOlderRequested,
    /// The merchant has stopped that search.
    SearchStopped,
    /// Whether the pointer or the focus is in the table has changed.
    InteractionChanged(bool),
    /// The merchant wants to see the new payments.
    ShowNewRequested,
    /// The merchant has selected or deselected the payment with this `transactionId`.
    SelectionChanged(String, bool),
    /// The merchant has selected or deselected all payments on the page.
    SelectAllChanged(bool),
    /// The merchant wants to cancel these payments; a confirmation follows.
    CancelRequested(Vec<String>),
    /// The merchant wants to cancel the selected payments; a confirmation follows.
    CancelSelectedRequested,
    /// The merchant has confirmed the cancellation.
    CancelConfirmed,
    /// The merchant has declined the confirmation, or closed the results.
    CancellationClosed,
    /// The merchant wants to see the details of the payment with this `transactionId`.
    DetailsRequested(String),
    /// The merchant wants the notification with this id to be sent again.
    ResendRequested(String),
    /// The merchant wants to do this about the order of the payment in the details; a confirmation follows.
    OrderActionRequested(OrderAction),
    /// The merchant has declined that confirmation.
    OrderActionDismissed,
    /// The merchant has confirmed it.
    OrderActionConfirmed,
    /// The merchant has closed the details.
    DetailsClosed,
    /// The merchant wants to create a payment link.
    LinkRequested,
    /// The merchant has submitted the form for a payment link.
    LinkSubmitted(LinkInput),
    /// The merchant has closed the dialog for payment links.
    LinkClosed,
    /// The merchant, whose language separates decimals like this, wants the matching payments as a CSV file.
    ExportRequested(DecimalSeparator),
}
