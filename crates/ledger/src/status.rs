//! What the status of a payment means. The service documents only "Created", so the operator says which other statuses mean
//! that a payment is paid or closed.
//!
//! | what is known of a payment | its state |
//! |---|---|
//! | its status is one of `status_paid`, now or earlier | `paid` |
//! | another payment of its order is paid | `closed`, with `orderPaid` |
//! | its status is one of `status_closed` or "Cancelled", now or earlier; or its cancellation is confirmed | `closed` |
//! | its cancellation is not confirmed; or its status is that of its creation again, after another one | `unknown` |
//! | anything else, where the operator has mapped a status | `open` |
//! | anything else | none: the status is not interpreted |
//!
//! The first row that applies counts. What a record does not say is the stored [`Ending`], so a payment that has ended
//! does not become open again.

use tender_protocol::{PaymentState, Record, Status};

/// How a payment has ended, in ascending order of certainty: money may arrive for a closed payment, and a paid one stays
/// paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ending {
    /// It may have ended, so no money should be sent.
    Unknown,
    /// No money should be sent any more.
    Closed,
    /// Another payment of its order is paid, so no money should be sent to this one.
    OrderPaid,
    /// The money has arrived.
    Paid,
}

/// The statuses that the operator has mapped, each a `statusId` or a `statusText`.
#[derive(Clone, Debug, Default)]
pub struct Mapping {
    /// Those of paid payments.
    pub paid: Vec<String>,
    /// Those of payments that ended without being paid.
    pub closed: Vec<String>,
}

/// How the status of a payment compares with the one that it was created with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The status is the same.
    Unchanged,
    /// The payment was cancelled or has ended otherwise.
    Closed,
    /// Any other status. The payment may have been paid.
    Changed,
}

impl Ending {
    /// The word that is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Closed => "closed",
            Self::OrderPaid => "order-paid",
            Self::Paid => "paid",
        }
    }

    /// Reads a stored word; `None` if it is another one.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        let all = [Self::Unknown, Self::Closed, Self::OrderPaid, Self::Paid];
        all.into_iter().find(|ending| ending.as_str() == word)
    }
}

impl Mapping {
    /// Whether the operator has mapped no status.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.paid.is_empty() && self.closed.is_empty()
    }

    /// How a payment with this status has ended; `None` if the status does not say so. It is compared exactly, also with
    /// its white space.
    #[must_use]
    pub fn ending(&self, record: &Record) -> Option<Ending> {
        let [id, name] = status(record);
        let is_in = |mapped: &[String]| {
            let mut mapped = mapped.iter().filter(|mapped| !mapped.is_empty());
            mapped.any(|mapped| *mapped == id || *mapped == name)
        };
        if is_in(&self.paid) {
            Some(Ending::Paid)
        } else if is_in(&self.closed) || is_cancelled(&name) {
            Some(Ending::Closed)
        } else {
            None
        }
    }

    /// The state of a payment with this record and this stored ending.
    #[must_use]
    pub fn state(&self, record: &Record, stored: Option<Ending>) -> Option<PaymentState> {
        match self.ending(record).max(stored) {
            Some(Ending::Paid) => Some(PaymentState::Paid),
            Some(Ending::Closed | Ending::OrderPaid) => Some(PaymentState::Closed),
            Some(Ending::Unknown) => Some(PaymentState::Unknown),
            None if self.is_empty() => None,
            None => Some(PaymentState::Open),
        }
    }

    /// Compares the latest record of a payment with the one of its creation.
    #[must_use]
    pub fn progress(&self, created: &Record, latest: &Record) -> Progress {
        match self.ending(latest) {
            Some(Ending::Closed) => Progress::Closed,
            None if is_same_status(created, latest) => Progress::Unchanged,
            _ => Progress::Changed,
        }
    }
}

/// In either spelling.
fn is_cancelled(name: &str) -> bool {
    ["cancelled", "canceled"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

fn read(record: &Record) -> Option<Status> {
    let [id, name] = status(record);
    Status::new(id.trim(), name.trim())
}

/// Whether two records have the same status.
#[must_use]
pub fn is_same_status(one: &Record, other: &Record) -> bool {
    read(one) == read(other)
}

/// Whether a record has the status that the service documents for a new payment.
#[must_use]
pub fn is_created(record: &Record) -> bool {
    read(record) == Some(Status::Created)
}

/// The `statusId` and `statusText` of a record, as the service wrote them; empty if they are missing.
#[must_use]
pub fn status(record: &Record) -> [String; 2] {
    ["statusId", "statusText"].map(|field| exact_text(record, field).unwrap_or_default())
}

/// The text of a field, which may be a string or a number, without white space around it; `None` if it is missing or null.
#[must_use]
pub fn text(record: &Record, field: &str) -> Option<String> {
    exact_text(record, field).map(|text| text.trim().to_owned())
}

/// The transactionId of a record; `None` if it is missing or null.
#[must_use]
pub fn transaction_id(record: &Record) -> Option<String> {
    text(record, "transactionId")
}

fn exact_text(record: &Record, field: &str) -> Option<String> {
    match record.string(field) {
        Some(text) => Some(text),
        None => Some(record.get(field)?.trim().to_owned()).filter(|json| json != "null"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: &str, name: &str) -> Record {
        let json = format!(r#"{{"statusId":{id},"statusText":"{name}"}}"#);
        Record::parse(&json, "a payment record").unwrap()
    }

    fn mapped() -> Mapping {
        let list = |statuses: &[&str]| statuses.iter().map(|&status| status.to_owned()).collect();
        Mapping {
            paid: list(&["2", "Paid"]),
            closed: list(&["9", "Expired"]),
        }
    }

    #[test]
    fn only_mapped_statuses_and_cancelled_end_a_payment() {
        for (id, name) in [
            ("5", "Cancelled"),
            ("5", "CANCELED"),
            ("9", "Void"),
            ("\"9\"", ""),
            ("4", "Expired"),
        ] {
            let ending = mapped().ending(&record(id, name));
            assert_eq!(ending, Some(Ending::Closed), "{id} {name}");
        }
        for (id, name) in [("2", "Done"), ("\"2\"", "Cancelled"), ("7", "Paid")] {
            let ending = mapped().ending(&record(id, name));
            assert_eq!(ending, Some(Ending::Paid), "{id} {name}");
        }
        for name in [
            "Created",
            "paid",
            "Not cancelled",
            "Cancelled ",
            "expired",
            "Expired?",
            "Expired ",
            " Paid",
        ] {
            assert_eq!(mapped().ending(&record("5", name)), None, "{name}");
        }
    }

    #[test]
    fn any_other_status_is_a_change() {
        let created = record("\"1\"", "Created");
        let progress = |id, name| Mapping::default().progress(&created, &record(id, name));
        assert_eq!(progress("1", "Created"), Progress::Unchanged);
        assert_eq!(progress("1", ""), Progress::Unchanged);
        assert_eq!(progress("5", "Cancelled"), Progress::Closed);
        for (id, name) in [("2", "Paid"), ("1", "Paid"), ("null", "")] {
            assert_eq!(progress(id, name), Progress::Changed, "{id} {name}");
        }
        // Even if it was created as paid.
        let paid = record("2", "Paid");
        assert_eq!(mapped().progress(&paid, &paid), Progress::Changed);
    }

    #[test]
    fn an_ended_payment_stays_ended_and_a_paid_one_paid() {
        let created = record("\"1\"", "Created");
        let expired = record("9", "Expired");
        for (status, stored, state) in [
            (&created, None, PaymentState::Open),
            (&created, Some(Ending::Unknown), PaymentState::Unknown),
            (&created, Some(Ending::Closed), PaymentState::Closed),
            (&created, Some(Ending::OrderPaid), PaymentState::Closed),
            (&created, Some(Ending::Paid), PaymentState::Paid),
            (&expired, Some(Ending::Unknown), PaymentState::Closed),
            (&expired, Some(Ending::Paid), PaymentState::Paid),
            (
                &record("2", "Paid"),
                Some(Ending::Closed),
                PaymentState::Paid,
            ),
            (&record("3", "Confirmed"), None, PaymentState::Open),
        ] {
            assert_eq!(mapped().state(status, stored), Some(state), "{status:?}");
        }
    }

    #[test]
    fn without_mapped_statuses_only_an_end_is_stated() {
        let state = |status, stored| Mapping::default().state(&status, stored);
        assert_eq!(state(record("2", "Paid"), None), None);
        let closed = Some(PaymentState::Closed);
        assert_eq!(state(record("5", "Cancelled"), None), closed);
        assert_eq!(state(record("1", "Created"), Some(Ending::Closed)), closed);
    }
}
