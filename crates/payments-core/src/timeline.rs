//! What is known to have happened to a payment, and when. The service's records have neither times nor a history, so this is
//! what the proxy has stored.

use tender_protocol::{Deliveries, KnownPayment};

/// Something that happened to a payment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TimelineEntry {
    /// Its time (RFC 3339, UTC).
    pub time: String,
    /// What happened.
    pub kind: EntryKind,
}

/// What happened to a payment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// The buyer first tried to pay the order.
    FirstAttempt,
    /// The service first notified the proxy of the invoice.
    ServiceNotified,
    /// The payment was created or has changed: the notification of it to the shop's backend has this id.
    Change(String),
}

/// What happened to a payment at a known time, newest first.
pub fn timeline(
    known: Option<&KnownPayment>,
    deliveries: Option<&Deliveries>,
) -> Vec<TimelineEntry> {
    let entry = |time: &String, kind| TimelineEntry {
        time: time.clone(),
        kind,
    };
    let changes = deliveries.into_iter().flat_map(|list| &list.deliveries);
    let changes =
        changes.map(|change| entry(&change.written_at, EntryKind::Change(change.id.clone())));
    let notified = known.and_then(|known| known.notified_at.as_ref());
    let attempted = known.and_then(|known| known.first_attempt_at.as_ref());
    let mut entries: Vec<_> = changes
        .chain(notified.map(|time| entry(time, EntryKind::ServiceNotified)))
        .chain(attempted.map(|time| entry(time, EntryKind::FirstAttempt)))
        .collect();
    // Stable, so that changes at the same time stay in their order.
    entries.sort_by(|one, other| digits(&other.time).cmp(digits(&one.time)));
    entries
}

/// A time (RFC 3339, UTC) in a form whose order as text is that of the times: a `Z` would be after a fraction.
fn digits(time: &str) -> &str {
    time.trim_end_matches('Z')
}
