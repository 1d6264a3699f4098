//! Which statuses end a payment. The service documents only "Created".

use tender_protocol::{Record, Status};

/// The statuses that end a payment, so that its order can be paid again.
pub(crate) struct ClosedStatuses(Vec<String>);

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

impl ClosedStatuses {
    /// `configured` has the `statusId` or `statusText` of each such status.
    pub(crate) fn new(configured: Vec<String>) -> Self {
        Self(configured)
    }

    /// Whether a payment has ended: its status is a configured one, or says "cancelled".
    pub(crate) fn contain(&self, record: &Record) -> bool {
        let [id, name] = status(record);
        let configured = |text: &String| !text.is_empty() && self.0.contains(text);
        configured(&id) || configured(&name) || is_cancelled(&name)
    }

    /// Compares the latest record of a payment with the one of its creation.
    pub(crate) fn progress(&self, created: &Record, latest: &Record) -> Progress {
        if self.contain(latest) {
            Progress::Closed
        } else if read(created) == read(latest) {
            Progress::Unchanged
        } else {
            Progress::Changed
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
    Status::new(&id, &name)
}

fn status(record: &Record) -> [String; 2] {
    ["statusId", "statusText"].map(|field| text(record, field).unwrap_or_default())
}

/// The text of a field, which may be a string or a number; `None` if it is missing or null.
pub(super) fn text(record: &Record, field: &str) -> Option<String> {
    let json = record.get(field)?.trim();
    let text = match record.string(field) {
        Some(text) => text,
        None if json == "null" => return None,
        None => json.to_owned(),
    };
    Some(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: &str, name: &str) -> Record {
        let json = format!(r#"{{"statusId":{id},"statusText":"{name}"}}"#);
        Record::parse(&json, "a payment record").unwrap()
    }

    #[test]
    fn only_cancelled_and_configured_statuses_end_a_payment() {
        let closed = ClosedStatuses::new(vec!["9".to_owned(), "Expired".to_owned()]);
        for (id, name) in [
            ("5", "Cancelled"),
            ("5", "CANCELED"),
            ("9", "Void"),
            ("\"9\"", ""),
            ("4", "Expired"),
        ] {
            assert!(closed.contain(&record(id, name)), "{id} {name}");
        }
        for name in ["Created", "Paid", "Not cancelled", "expired", "Expired?"] {
            assert!(!closed.contain(&record("5", name)), "{name}");
        }
    }

    #[test]
    fn any_other_status_is_a_change() {
        let closed = ClosedStatuses::new(Vec::new());
        let created = record("\"1\"", "Created");
        let progress = |id, name| closed.progress(&created, &record(id, name));
        assert_eq!(progress("1", "Created"), Progress::Unchanged);
        assert_eq!(progress("1", ""), Progress::Unchanged);
        assert_eq!(progress("5", "Cancelled"), Progress::Closed);
        for (id, name) in [("2", "Paid"), ("1", "Paid"), ("null", "")] {
            assert_eq!(progress(id, name), Progress::Changed, "{id} {name}");
        }
    }
}
