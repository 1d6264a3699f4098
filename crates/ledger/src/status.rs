//! What the status of a payment means. The service documents only "Created", so the operator says what other statuses mean.
//! The states, and which of them counts first, are in `docs/proxy.md` under "State of a payment".
//!
//! What a record does not say is stored as [`Facts`], so a payment that no longer asks for money never does so again, whatever
//! its status says later.

use strum::VariantArray;
use tender_protocol::{PaymentState, Record, Status};

use crate::{Facts, Listed, OrderMoney, PaymentFate};

/// What a status says by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray)]
pub enum Meaning {
    /// It is the documented status of a new payment.
    Created,
    /// It is one of `status_pending`.
    Pending,
    /// It is one of `status_underpaid`.
    Underpaid,
    /// It is one of `status_paid`.
    Paid,
    /// It is one of `status_closed`, or "Cancelled".
    Closed,
    /// The operator has not mapped it.
    NotMapped,
}

/// The statuses that the operator has mapped, each a `statusId` or a `statusText`.
#[derive(Clone, Debug, Default)]
pub struct Mapping {
    /// Those of payments whose money waits for its confirmation.
    pub pending: Vec<String>,
    /// Those of payments for which less than the amount has arrived.
    pub underpaid: Vec<String>,
    /// Those of paid payments.
    pub paid: Vec<String>,
    /// Those of payments that ended without being paid.
    pub closed: Vec<String>,
}

impl Mapping {
    /// Whether the operator has mapped no status.
    pub fn is_empty(&self) -> bool {
        self.lists().iter().all(|(list, _)| list.is_empty())
    }

    /// What the status of a record means. It is compared exactly, also with its white space.
    pub fn meaning(&self, record: &Record) -> Meaning {
        self.meaning_of(&status(record))
    }

    /// The same for a `statusId` and a `statusText`.
    pub fn meaning_of(&self, status: &[String; 2]) -> Meaning {
        let is_in = |mapped: &[String]| {
            let mut mapped = mapped.iter().filter(|mapped| !mapped.is_empty());
            mapped.any(|mapped| status.contains(mapped))
        };
        let mapped = self.lists().into_iter().find(|(list, _)| is_in(list));
        let [_, name] = status;
        match mapped {
            Some((_, meaning)) => meaning,
            None if is_cancelled(name) => Meaning::Closed,
            None if parsed(status) == Some(Status::Created) => Meaning::Created,
            None => Meaning::NotMapped,
        }
    }

    /// The state of a payment with this record, and of which this is stored.
    pub fn state(&self, record: &Record, stored: Facts) -> Option<PaymentState> {
        match (
            PaymentFate::next(stored.fate, self.meaning(record), false),
            stored.order,
        ) {
            (Some(PaymentFate::Paid), _) => Some(PaymentState::Paid),
            (_, Some(OrderMoney::Paid)) => Some(PaymentState::Closed),
            (Some(fate), _) => Some(fate.state()),
            (None, _) if self.is_empty() => None,
            (None, _) => Some(PaymentState::Open),
        }
    }

    /// Compares the latest record of a payment with the one of its creation.
    pub fn progress(&self, created: &Record, latest: &Record) -> Listed {
        match self.meaning(latest) {
            Meaning::Closed => Listed::Closed,
            Meaning::Created | Meaning::NotMapped if is_same_status(created, latest) => {
                Listed::Unchanged
            }
            Meaning::Created
            | Meaning::NotMapped
            | Meaning::Pending
            | Meaning::Underpaid
            | Meaning::Paid => Listed::Changed,
        }
    }

    /// A record may have a `statusId` of one list and a `statusText` of another: the first list counts.
    fn lists(&self) -> [(&[String], Meaning); 4] {
        [
            (&self.paid, Meaning::Paid),
            (&self.underpaid, Meaning::Underpaid),
            (&self.pending, Meaning::Pending),
            (&self.closed, Meaning::Closed),
        ]
    }
}

/// Whether a `statusText` is that of a cancelled payment, in either spelling.
pub fn is_cancelled(name: &str) -> bool {
    ["cancelled", "canceled"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

fn parsed([id, name]: &[String; 2]) -> Option<Status> {
    Status::new(id.trim(), name.trim())
}

fn read(record: &Record) -> Option<Status> {
    parsed(&status(record))
}

/// Whether two records have the same status.
pub fn is_same_status(one: &Record, other: &Record) -> bool {
    read(one) == read(other)
}

/// Whether a record has the status that the service documents for a new payment.
pub fn is_created(record: &Record) -> bool {
    read(record) == Some(Status::Created)
}

/// The `statusId` and `statusText` of a record, as the service wrote them; empty if they are missing.
pub fn status(record: &Record) -> [String; 2] {
    ["statusId", "statusText"].map(|field| exact_text(record, field).unwrap_or_default())
}

/// Whether a record has a status. One that has none says nothing of its payment.
pub fn has_status(record: &Record) -> bool {
    status(record).iter().any(|text| !text.is_empty())
}

/// The transactionId of a record, without white space around it; `None` if it is missing or null.
pub fn transaction_id(record: &Record) -> Option<String> {
    exact_text(record, "transactionId").map(|id| id.trim().to_owned())
}

/// The text of a field, which may be a string or a number; `None` if it is missing or null.
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
            pending: list(&["3", "Confirming"]),
            underpaid: list(&["4", "Partly paid"]),
            paid: list(&["2", "Paid"]),
            closed: list(&["9", "Expired", ""]),
        }
    }

    #[test]
    fn only_mapped_statuses_and_cancelled_mean_something() {
        for (meaning, statuses) in [
            (
                Meaning::Closed,
                vec![
                    ("5", "Cancelled"),
                    ("5", "CANCELED"),
                    ("9", "Void"),
                    ("\"9\"", ""),
                    ("5", "Expired"),
                ],
            ),
            (
                Meaning::Paid,
                vec![("2", "Done"), ("\"2\"", "Cancelled"), ("7", "Paid")],
            ),
            (Meaning::Pending, vec![("3", "Seen"), ("7", "Confirming")]),
            (Meaning::Underpaid, vec![("4", ""), ("7", "Partly paid")]),
            (Meaning::Created, vec![("1", "Created"), ("\"1\"", "")]),
            (
                Meaning::NotMapped,
                vec![
                    ("5", "Created"),
                    ("5", "paid"),
                    ("5", "Not cancelled"),
                    ("5", "Cancelled "),
                    ("5", "expired"),
                    ("5", "Expired?"),
                    ("5", "Expired "),
                    ("5", " Paid"),
                    ("5", "Pending"),
                    ("null", ""),
                ],
            ),
        ] {
            for (id, name) in statuses {
                assert_eq!(mapped().meaning(&record(id, name)), meaning, "{id} {name}");
            }
        }
        // Several lists: the one counts that asks least of the buyer.
        for (id, name, meaning) in [
            ("2", "Expired", Meaning::Paid),
            ("4", "Confirming", Meaning::Underpaid),
            ("3", "Expired", Meaning::Pending),
        ] {
            assert_eq!(mapped().meaning(&record(id, name)), meaning);
        }
    }

    #[test]
    fn any_other_status_is_a_change() {
        let created = record("\"1\"", "Created");
        let progress = |id, name| mapped().progress(&created, &record(id, name));
        assert_eq!(progress("1", "Created"), Listed::Unchanged);
        assert_eq!(progress("1", ""), Listed::Unchanged);
        assert_eq!(progress("5", "Cancelled"), Listed::Closed);
        for (id, name) in [
            ("2", "Paid"),
            ("1", "Paid"),
            ("3", ""),
            ("4", ""),
            ("null", ""),
            ("8", "Odd"),
        ] {
            assert_eq!(progress(id, name), Listed::Changed, "{id} {name}");
        }
        // Even if it was created as paid.
        for (id, name) in [("2", "Paid"), ("3", ""), ("4", "")] {
            let paid = record(id, name);
            assert_eq!(mapped().progress(&paid, &paid), Listed::Changed);
        }
        // The service may have another word for a new payment.
        let odd = record("8", "Odd");
        assert_eq!(mapped().progress(&odd, &odd), Listed::Unchanged);
    }

    #[test]
    fn a_record_and_what_is_stored_make_a_state() {
        let created = record("\"1\"", "Created");
        let expired = record("9", "Expired");
        for (status, stored, state) in [
            (&created, None, PaymentState::Open),
            (&created, Some(PaymentFate::Unknown), PaymentState::Unknown),
            (&created, Some(PaymentFate::Closed), PaymentState::Closed),
            (
                &created,
                Some(PaymentFate::Underpaid),
                PaymentState::Underpaid,
            ),
            (&expired, Some(PaymentFate::Unknown), PaymentState::Closed),
            (&expired, Some(PaymentFate::Seen), PaymentState::Unknown),
            (
                &record("2", "Paid"),
                Some(PaymentFate::Closed),
                PaymentState::Paid,
            ),
            (
                &record("3", ""),
                Some(PaymentFate::Closed),
                PaymentState::Pending,
            ),
            (&record("8", "Odd"), None, PaymentState::Open),
            (
                &record("8", "Odd"),
                Some(PaymentFate::Pending),
                PaymentState::Pending,
            ),
        ] {
            let facts = Facts {
                fate: stored,
                ..Facts::default()
            };
            assert_eq!(mapped().state(status, facts), Some(state), "{status:?}");
        }
    }

    #[test]
    fn without_mapped_statuses_only_an_end_is_stated() {
        let state = |status, fate| {
            let facts = Facts {
                fate,
                ..Facts::default()
            };
            Mapping::default().state(&status, facts)
        };
        assert_eq!(state(record("2", "Paid"), None), None);
        let closed = Some(PaymentState::Closed);
        assert_eq!(state(record("5", "Cancelled"), None), closed);
        assert_eq!(
            state(record("1", "Created"), Some(PaymentFate::Closed)),
            closed
        );
        let lists: [fn(&mut Mapping) -> &mut Vec<String>; 4] = [
            |mapping| &mut mapping.pending,
            |mapping| &mut mapping.underpaid,
            |mapping| &mut mapping.paid,
            |mapping| &mut mapping.closed,
        ];
        for list in lists {
            let mut mapping = Mapping::default();
            list(&mut mapping).push("7".to_owned());
            let state = mapping.state(&record("1", "Created"), Facts::default());
            assert_eq!(state, Some(PaymentState::Open));
        }
    }

    #[test]
    fn a_payment_whose_order_is_paid_is_closed_unless_it_is_paid() {
        for (stored, state) in [
            (None, PaymentState::Closed),
            (Some(PaymentFate::Pending), PaymentState::Closed),
            (Some(PaymentFate::Paid), PaymentState::Paid),
        ] {
            let facts = |order| Facts {
                fate: stored,
                order,
                ..Facts::default()
            };
            let stated = |order| mapped().state(&record("\"1\"", "Created"), facts(order));
            assert_eq!(stated(Some(OrderMoney::Paid)), Some(state), "{stored:?}");
            // Money that was seen elsewhere does not change what this payment is.
            assert_eq!(stated(Some(OrderMoney::Seen)), stated(None), "{stored:?}");
        }
    }
}
