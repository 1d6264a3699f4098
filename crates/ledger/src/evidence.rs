//! What arrives for an attempt, and what is to be done about it.

use strum::{IntoStaticStr, VariantArray};

/// What arrives while an attempt is worked on. `P` identifies a payment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Evidence<P> {
    /// The lease of a stored attempt was granted.
    Resumed,
    /// What a search of the service's list found, after all earlier requests have settled.
    Searched(Found<P>),
    /// The response to the request to create.
    Created(Created<P>),
    /// What the service's list says about the payment.
    Listed(Listed),
    /// The response to the request to cancel.
    Cancelled(Cancelled),
    /// What the service's list says about the payment after that response.
    Confirmed(Listed),
}

/// What a search for the payment of a request found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Found<P> {
    /// This payment, and no other one that it could be.
    One(P),
    /// Certainly none.
    Nothing,
    /// The list may hold the payment, or was not read completely.
    Unclear,
}

/// The response to the request to create.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Created<P> {
    /// The requested payment.
    Payment(P),
    /// A payment that can't be shown as the requested one.
    Contradictory(P),
    /// The service certainly created nothing.
    Nothing,
    /// Neither is certain.
    Unclear,
}

/// The response to the request to cancel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray)]
pub enum Cancelled {
    /// The documented one: a list with the payment, nowhere further than created or cancelled.
    Documented,
    /// Any other one.
    Odd,
    /// The service certainly did nothing.
    Nothing,
    /// It was lost.
    Lost,
}

/// What the service's list says about a known payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray)]
pub enum Listed {
    /// It has the status of its creation.
    Unchanged,
    /// Its status says that it is closed.
    Closed,
    /// It has any other status, so it may have been paid.
    Changed,
    /// It is not listed, or listed with several statuses, or the list can't be read.
    Unclear,
}

/// The one thing to do next.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action<P> {
    /// Search the service's list for the payment, after earlier requests have settled.
    Search,
    /// Ask the service to create the payment.
    Create,
    /// Read this payment in the service's list.
    Read(P),
    /// Ask the service to cancel this payment.
    Cancel(P),
    /// Read this payment in the service's list, after the response to the request to cancel.
    Confirm(P),
    /// End the work with this answer.
    Answer(Answer),
}

/// How the work on an attempt ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Show the payment to its buyer.
    Show(Origin),
    /// The order has no payment any more, so another one can be created.
    Free,
    /// The payment is cancelled or closed.
    Cancelled,
    /// The last call failed. Its error says what to do.
    Failed,
    /// Nothing is done, for this reason.
    Refused(Refusal),
}

/// Where a payment that is shown comes from. As a text, it is the name for metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Origin {
    /// The service created it just now.
    Created,
    /// An earlier response was lost, and the payment was found in the service's list.
    Found,
    /// An earlier request had created it.
    Repeated,
}

/// Why nothing is created, shown or cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The payment was cancelled or replaced.
    Ended,
    /// The payment may have been paid.
    Progressed,
    /// A buyer says that money may have been sent.
    Marked,
    /// The order has another open payment, which the request does not name.
    Open,
    /// The list may hold the payment.
    Unidentified,
    /// The list does not show what became of the payment.
    Unknown,
    /// The service's response contradicts the request.
    Contradictory,
}
