//! What is known to have happened to a payment, and when. The service's records have neither times nor a history, so this is
//! what the proxy has stored.

use tender_protocol::{Deliveries, KnownPayment};

/// Something that happened to a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Its time (RFC 3339, UTC).
    pub time: String,
    /// What happened.
    pub what: What,
}

/// What happened to a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The buyer first tried to pay the order.
    FirstAttempt,
    /// The service first notified the proxy of the invoice.
    ServiceNotified,
    /// The payment was created or has changed: the notification of it to the shop's backend has this id.
    Change(String),
}

impl Moment {
    /// Identifies the moment among those of its payment.
    #[must_use]
    pub fn key(&self) -> String {
        match &self.what {
            What::FirstAttempt => "first attempt".to_owned(),
            What::ServiceNotified => "service notified".to_owned(),
            What::Change(id) => format!("change {id}"),
        }
    }
}

/// The moments of a payment whose time is known, newest first.
#[must_use]
pub fn timeline(known: Option<&KnownPayment>, deliveries: Option<&Deliveries>) -> Vec<Moment> {
    let moment = |time: &String, what| Moment {
        time: time.clone(),
        what,
    };
    let changes = deliveries.into_iter().flat_map(|list| &list.deliveries);
    let changes = changes.map(|change| moment(&change.written_at, What::Change(change.id.clone())));
    let notified = known.and_then(|known| known.notified_at.as_ref());
    let attempted = known.and_then(|known| known.first_attempt_at.as_ref());
    let mut moments: Vec<_> = changes
        .chain(notified.map(|time| moment(time, What::ServiceNotified)))
        .chain(attempted.map(|time| moment(time, What::FirstAttempt)))
        .collect();
    // Stable, so that changes at the same time stay in their order.
    moments.sort_by(|one, other| digits(&other.time).cmp(digits(&one.time)));
    moments
}

/// A time (RFC 3339, UTC) in a form whose order as text is that of the times: a `Z` would be after a fraction.
fn digits(time: &str) -> &str {
    time.trim_end_matches('Z')
}
