//! What a response of the service proves, and what its list says about a known payment.

use tender_protocol::Record;

use crate::status::{has_status, status};
use crate::{Cancelled, Listed, Mapping, transaction_id};

/// What the records of the response to a request to cancel say: as documented, they have this payment, nowhere further than
/// created or cancelled.
pub fn cancelled(records: &[Record], id: &str, created: &Record, mapping: &Mapping) -> Cancelled {
    let mut named = records
        .iter()
        .filter(|record| transaction_id(record).as_deref() == Some(id))
        .peekable();
    let is_named = named.peek().is_some();
    let has_changed = |record| mapping.progress(created, record) == Listed::Changed;
    if is_named && !named.any(has_changed) {
        Cancelled::Documented
    } else {
        Cancelled::Odd
    }
}

/// Whether an HTTP status says that the request was not accepted as it is (RFC 9110, section 15.5), so that nothing was
/// done.
///
/// The service does not document its errors. Other statuses may be about an earlier request with the same content (409), or
/// about one that is still being executed (408, 425, 429, 499), and a gateway may respond 5xx after the service has
/// executed the request.
pub fn proves_refusal(status: u16) -> bool {
    matches!(
        status,
        400 | 401 | 403 | 404 | 405 | 411 | 413 | 414 | 415 | 417 | 421 | 422 | 426 | 428 | 431
    )
}

/// What these records say about a payment, and its record: those of the first page of the list that has it, and of the next
/// page, to which it may have moved meanwhile. Without a record of it that has a status, or with several ones, that is unclear.
pub fn sighting(
    records: &[Record],
    id: &str,
    created: &Record,
    mapping: &Mapping,
) -> (Listed, Option<Record>) {
    let is_it = |record: &&Record| transaction_id(record).as_deref() == Some(id);
    let mut found = records
        .iter()
        .filter(|record| is_it(record) && has_status(record));
    let Some(first) = found.next() else {
        return (Listed::Unclear, None);
    };
    if found.any(|other| status(other) != status(first)) {
        return (Listed::Unclear, None);
    }
    let listed = mapping.progress(created, first);
    (listed, Some(first.clone()))
}
