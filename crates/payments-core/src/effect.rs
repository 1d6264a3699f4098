//! What goes out: requests, timers, and what the page hears.

use tender_client::Failure;
use tender_protocol::{Payment, Status};

use crate::book::Place;
use crate::key::Key;

/// A question to the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The key to ask with; none where the shop's backend adds it.
    pub key: Option<Key>,
    /// The page, counted from 1.
    pub page: u32,
    /// What for.
    pub purpose: Purpose,
}

/// What a page of the list is read for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The first of all.
    Open,
    /// To see what is new; the page belongs here.
    Head(Place),
    /// To go on behind what was read.
    Older,
    /// To see whether what was read so belongs there.
    Check,
    /// To see what became of cancelled payments.
    Outcome,
}

/// Something to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Read a page of the list; answered by [`Event::ListAnswered`](crate::Event::ListAnswered).
    ReadList(Ask),
    /// Cancel a payment; answered by [`Event::CancelAnswered`](crate::Event::CancelAnswered).
    Cancel {
        /// The key to ask with.
        key: Option<Key>,
        /// The payment.
        transaction_id: String,
    },
    /// Ask what the proxy knows; answered by [`Event::LedgerAnswered`](crate::Event::LedgerAnswered).
    ReadLedger {
        /// The key to ask with.
        key: Option<Key>,
        /// The payments to ask about.
        transaction_ids: Vec<String>,
    },
    /// Open the stream of events in the place of an open one.
    Listen {
        /// The key to ask with.
        key: Option<Key>,
        /// The id of the event that was heard last.
        last_event_id: Option<String>,
    },
    /// Close the stream.
    StopListening,
    /// Look again in so many seconds: [`Event::LookDue`](crate::Event::LookDue). A later one takes the
    /// place of an earlier one.
    LookIn(u32),
    /// Keep this key for as long as the tab is open, or none.
    KeepKey(Option<Key>),
    /// Load the page anew.
    Reload,
    /// Hand the merchant a file.
    Download {
        /// Its name.
        name: &'static str,
        /// Its media type.
        media_type: &'static str,
        /// What is in it.
        content: String,
    },
    /// Tell the page.
    Tell(HostEvent),
}

/// What the page hears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostEvent {
    /// The list is there: so many payments are read.
    Ready(usize),
    /// A payment that was not there before.
    Created(Box<Payment>),
    /// A payment has another status than before.
    Status {
        /// The payment.
        payment: Box<Payment>,
        /// The status before.
        previous: Status,
    },
    /// Something failed.
    Error(Failure),
}
