//! What the status of a payment means. The service documents only "Created", so the operator says
//! which other statuses mean that a payment is paid or closed.
//!
//! | what is known of a payment | its state |
//! |---|---|
//! | its status is one of `status_paid`, now or earlier | `paid` |
//! | its status is one of `status_closed` or "Cancelled", now or earlier; or the proxy cancelled it | `closed` |
//! | anything else, where the operator has mapped a status | `open` |
//! | anything else | none: the status is not interpreted |
//!
//! The first row that applies counts. "Earlier" and "the proxy cancelled it" are the stored
//! [`Ending`], so a payment that has ended does not become open again.

use std::sync::Arc;

use arc_swap::ArcSwap;
use tender_protocol::test_mode::mark;
use tender_protocol::{PaymentState, Record, Status};

use crate::config::Config;
use crate::store::payments::Ending;

/// What statuses mean, shared by everything that interprets them. A reload replaces the mapping.
pub(crate) struct Statuses {
    mapping: ArcSwap<Mapping>,
    test_mode: bool,
}

/// The statuses that the operator has mapped, each a `statusId` or a `statusText`.
#[derive(Default)]
pub(crate) struct Mapping {
    paid: Vec<String>,
    closed: Vec<String>,
}

/// How the status of a payment compares with the one that it was created with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The status is the same.
    Unchanged,
    /// The payment was cancelled or has ended otherwise.
    Closed,
    /// Any other status. The payment may have been paid.
    Changed,
}

impl Statuses {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            mapping: ArcSwap::from_pointee(Mapping::new(config)),
            test_mode: config.upstream.test_mode,
        }
    }

    /// Replaces the mapping by that of `config`.
    pub(crate) fn replace_mapping(&self, config: &Config) {
        self.mapping.store(Arc::new(Mapping::new(config)));
    }

    /// The mapping, which is another one after each [`replace_mapping`](Self::replace_mapping).
    pub(crate) fn mapping(&self) -> Arc<Mapping> {
        self.mapping.load_full()
    }

    /// The state of a payment with this record and this stored ending.
    pub(crate) fn state(&self, record: &Record, stored: Option<Ending>) -> Option<PaymentState> {
        match self.ending(record).max(stored) {
            Some(Ending::Paid) => Some(PaymentState::Paid),
            Some(Ending::Closed) => Some(PaymentState::Closed),
            None if self.mapping.load().is_empty() => None,
            None => Some(PaymentState::Open),
        }
    }

    /// How a payment with this status has ended; `None` if the status does not say so. It is compared
    /// exactly, also with its white space.
    pub(crate) fn ending(&self, record: &Record) -> Option<Ending> {
        self.mapping.load().ending(record)
    }

    /// The same for a stored record.
    pub(crate) fn ending_of(&self, json: &str) -> Option<Ending> {
        self.ending(&Record::parse(json, "a payment record").ok()?)
    }

    /// Whether a payment is paid or closed.
    pub(crate) fn has_ended(&self, json: &str, stored: Option<Ending>) -> bool {
        stored.is_some() || self.ending_of(json).is_some()
    }

    /// Compares the latest record of a payment with the one of its creation.
    pub(crate) fn progress(&self, created: &Record, latest: &Record) -> Progress {
        match self.ending(latest) {
            Some(Ending::Closed) => Progress::Closed,
            None if read(created) == read(latest) => Progress::Unchanged,
            None | Some(Ending::Paid) => Progress::Changed,
        }
    }

    /// A record as JSON, with its state, and marked in test mode. Every other field stays as the service
    /// wrote it; of one that is there twice, the last stays.
    pub(crate) fn with_state(&self, json: &str, stored: Option<Ending>) -> String {
        let Ok(mut record) = Record::parse(json, "a payment record") else {
            return json.to_owned();
        };
        let has_repeated = record.keep_last();
        let is_marked = mark(&mut record, self.test_mode);
        let state = self.state(&record, stored);
        match set_state(&mut record, state) {
            Ok(is_set) if is_set || is_marked || has_repeated => {
                serde_json::to_string(&record).unwrap_or_else(|_| json.to_owned())
            }
            _ => json.to_owned(),
        }
    }
}

impl Mapping {
    fn new(config: &Config) -> Self {
        Self {
            paid: config.orders.status_paid.clone(),
            closed: config.orders.status_closed.clone(),
        }
    }

    /// Whether the operator has mapped no status.
    pub(crate) fn is_empty(&self) -> bool {
        self.paid.is_empty() && self.closed.is_empty()
    }

    fn ending(&self, record: &Record) -> Option<Ending> {
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
}

/// Sets the field `state`. If there is no state, a field of that name is removed, because the widget
/// would take it for the proxy's. Returns whether the record has changed.
///
/// # Errors
/// Never for the names of states; the signature is `serde_json`'s.
pub(crate) fn set_state(
    record: &mut Record,
    state: Option<PaymentState>,
) -> Result<bool, serde_json::Error> {
    match state {
        Some(state) => record
            .set(PaymentState::FIELD, state.as_str())
            .map(|()| true),
        None => Ok(record.remove(PaymentState::FIELD)),
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

/// Whether a record has the status that the service documents for a new payment.
pub(crate) fn is_created(record: &Record) -> bool {
    read(record) == Some(Status::Created)
}

/// The `statusId` and `statusText` of a record, as the service wrote them; empty if they are missing.
pub(crate) fn status(record: &Record) -> [String; 2] {
    ["statusId", "statusText"].map(|field| exact_text(record, field).unwrap_or_default())
}

/// The text of a field, which may be a string or a number, without white space around it; `None` if it is
/// missing or null.
pub(crate) fn text(record: &Record, field: &str) -> Option<String> {
    exact_text(record, field).map(|text| text.trim().to_owned())
}

/// The transactionId of a record; `None` if it is missing or null.
pub(crate) fn transaction_id(record: &Record) -> Option<String> {
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

    fn mapped() -> Statuses {
        let list = |statuses: &[&str]| statuses.iter().map(|&status| status.to_owned()).collect();
        let mapping = Mapping {
            paid: list(&["2", "Paid"]),
            closed: list(&["9", "Expired"]),
        };
        Statuses {
            mapping: ArcSwap::from_pointee(mapping),
            test_mode: false,
        }
    }

    fn unmapped() -> Statuses {
        Statuses {
            mapping: ArcSwap::default(),
            test_mode: false,
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
        let statuses = unmapped();
        let created = record("\"1\"", "Created");
        let progress = |id, name| statuses.progress(&created, &record(id, name));
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
        for (status, stored, state) in [
            (&created, None, PaymentState::Open),
            (&created, Some(Ending::Closed), PaymentState::Closed),
            (&created, Some(Ending::Paid), PaymentState::Paid),
            (&record("9", "Expired"), None, PaymentState::Closed),
            (
                &record("9", "Expired"),
                Some(Ending::Paid),
                PaymentState::Paid,
            ),
            (
                &record("2", "Paid"),
                Some(Ending::Closed),
                PaymentState::Paid,
            ),
            (
                &record("3", "Confirmed"),
                Some(Ending::Paid),
                PaymentState::Paid,
            ),
            (&record("3", "Confirmed"), None, PaymentState::Open),
        ] {
            assert_eq!(mapped().state(status, stored), Some(state), "{status:?}");
        }
    }

    #[test]
    fn without_mapped_statuses_only_an_end_is_stated() {
        let statuses = unmapped();
        let state = |status, stored| statuses.state(&status, stored);
        assert_eq!(state(record("2", "Paid"), None), None);
        let closed = Some(PaymentState::Closed);
        assert_eq!(state(record("5", "Cancelled"), None), closed);
        assert_eq!(state(record("1", "Created"), Some(Ending::Closed)), closed);
    }

    #[test]
    fn a_record_is_marked_in_test_mode() {
        let statuses = Statuses {
            test_mode: true,
            ..unmapped()
        };
        let json = r#"{"statusId":"1","quantity":25.00"#;
        let marked = statuses.with_state(&format!("{json}}}"), None);
        assert_eq!(marked, format!(r#"{json},"testMode":true}}"#));
        let closed = statuses.with_state(&marked, Some(Ending::Closed));
        assert_eq!(
            closed,
            format!(r#"{json},"testMode":true,"state":"closed"}}"#)
        );
        // A field of the service is not taken for the proxy's.
        assert_eq!(unmapped().with_state(&marked, None), format!("{json}}}"));
    }

    #[test]
    fn a_record_gains_only_its_state() {
        let json = r#"{"statusId":"1", "state":"paid","x":[1.10, 1e-8],"quantity":25.00}"#;
        let plain = r#"{"statusId":"1","x":[1.10, 1e-8],"quantity":25.00"#;
        let none = unmapped();
        // The service's own field is not taken for the proxy's.
        assert_eq!(none.with_state(json, None), format!("{plain}}}"));
        let with = |state| format!(r#"{plain},"state":"{state}"}}"#);
        assert_eq!(none.with_state(json, Some(Ending::Closed)), with("closed"));
        assert_eq!(mapped().with_state(json, None), with("open"));
        let twice = r#"{"wallet":"a", "quantity":1,"w\u0061llet":"b"}"#;
        let once = r#"{"quantity":1,"wallet":"b"}"#;
        assert_eq!(none.with_state(twice, None), once);
        for other in [r#"{"statusId": "1"}"#, "1", "{"] {
            assert_eq!(none.with_state(other, None), other);
        }
    }
}
