//! What comes in: answers, the page, and what the merchant does.

use tender_client::FetchResult;
use tender_protocol::Status;

use crate::effect::Ask;
use crate::key::Key;
use crate::stream::Message;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The element is shown; the tab may have kept a key.
    Started(Option<Key>),
    /// The list has answered, or has not.
    ListAnswered(Ask, FetchResult),
    /// The cancellation of this payment was answered, or was not.
    CancelAnswered(String, FetchResult),
    /// What the proxy knows has come, asked for with this key.
    LedgerAnswered(Option<Key>, FetchResult),

    /// The stream of events is open.
    StreamOpened,
    /// The stream has told something.
    StreamHeard(Message),
    /// The stream has ended, as connections do.
    StreamLost,
    /// There is no stream to be had.
    StreamRefused,
    /// It is time to look again.
    LookDue,
    /// The page is seen again.
    PageSeen,
    /// The page is hidden.
    PageHidden,

    /// The merchant has typed a key.
    KeyEntered(String),
    /// The merchant wants the key forgotten.
    KeyForgotten,
    /// The merchant, or the page, wants to see what is new.
    Refreshed,
    /// The merchant wants the page loaded anew.
    ReloadWanted,
    /// To the page of newer payments.
    Newer,
    /// To the page of older payments: it is read if need be.
    Older,
    /// Another text to look for.
    Searched(String),
    /// Another status to look for; `None` for all.
    StatusChosen(Option<Status>),
    /// Reads on until something is found.
    SearchedOn,
    /// Stops reading on.
    Stopped,
    /// Whether the merchant is at work in the table.
    Attended(bool),
    /// Shows the payments that were held back.
    NewShown,
    /// Selects a payment, or no longer.
    Selected(String, bool),
    /// Selects all payments of the page, or none.
    AllSelected(bool),
    /// Wants these payments cancelled: asks whether that is meant.
    CancelWanted(Vec<String>),
    /// Wants the selected payments cancelled: asks whether that is meant.
    CancelSelectedWanted,
    /// It is not meant.
    CancelKept,
    /// It is meant.
    CancelConfirmed,
    /// What came of it was read.
    CancelRead,
    /// Wants what was read as a file.
    Exported,
}
