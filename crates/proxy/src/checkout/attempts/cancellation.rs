//! Whether a payment is cancelled, by the response to the cancel request and the list after it.

use tender_protocol::Record;

use super::Payments;
use super::find::Listed;
use crate::statuses::{Progress, transaction_id};
use crate::store::attempts::CreatedPayment;

/// What is known of a payment after a cancel request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cancellation {
    /// It is cancelled, or has ended otherwise.
    Confirmed,
    /// Its status is another one, so it may have been paid.
    Progressed,
    /// Neither is certain.
    Unconfirmed,
}

/// What the cancel request did, besides the list after it.
#[derive(Clone, Copy)]
pub(super) struct CancelRequest {
    /// Whether the response is the documented one.
    pub(super) is_documented: bool,
    /// Whether the list had the payment before.
    pub(super) was_listed: bool,
}

impl Payments {
    /// The service's document shows a cancelled payment that still has the status "Created". So an
    /// unchanged status counts as cancelled only together with the documented response, and so does a
    /// payment that is no longer listed.
    pub(super) fn cancellation(
        &self,
        created: &Record,
        request: CancelRequest,
        listed: &Listed,
    ) -> Cancellation {
        let is_cancelled = match listed {
            Listed::Record(record) => match self.statuses.progress(created, record) {
                Progress::Closed => true,
                Progress::Unchanged => request.is_documented,
                Progress::Changed => return Cancellation::Progressed,
            },
            Listed::Absent => request.is_documented && request.was_listed,
            Listed::Empty | Listed::Contradictory | Listed::Unknown => false,
        };
        if is_cancelled {
            Cancellation::Confirmed
        } else {
            Cancellation::Unconfirmed
        }
    }

    /// Whether the response of cancel is an array with this payment, nowhere further than created or
    /// cancelled.
    pub(super) fn is_cancel_response(&self, json: &str, created: &CreatedPayment) -> bool {
        let records = Record::parse_array(json, "a list of payment records").unwrap_or_default();
        let records = records.into_iter().flatten();
        let is_it =
            |record: &Record| transaction_id(record).as_ref() == Some(&created.transaction_id);
        let mut named = records.filter(is_it).peekable();
        let is_named = named.peek().is_some();
        let progress = |record: Record| self.statuses.progress(&created.record, &record);
        is_named && named.all(|record| progress(record) != Progress::Changed)
    }
}
