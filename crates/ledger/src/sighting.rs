//! What the list says about a known payment.

use tender_protocol::Record;

use crate::status::status;
use crate::{Listed, Mapping, transaction_id};

/// What these records say about a payment, and its record: those of the first page of the list that has it, and of the next
/// page, to which it may have moved meanwhile. Without a record of it, or with several statuses, that is unclear.
#[must_use]
pub fn sighting(
    records: &[Record],
    id: &str,
    created: &Record,
    mapping: &Mapping,
) -> (Listed, Option<Record>) {
    let mut found = records
        .iter()
        .filter(|record| transaction_id(record).as_deref() == Some(id));
    let Some(first) = found.next() else {
        return (Listed::Unclear, None);
    };
    if found.any(|other| status(other) != status(first)) {
        return (Listed::Unclear, None);
    }
    let listed = mapping.progress(created, first);
    (listed, Some(first.clone()))
}
