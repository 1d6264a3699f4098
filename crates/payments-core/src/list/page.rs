//! One page of the service's list.

use tender_protocol::{Payment, Record, RecordError};

/// One page of the list, as the service returned it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListPage {
    /// The payments, in the service's order.
    pub payments: Vec<Payment>,
    /// The number of records on the page that could not be read.
    pub unreadable: usize,
}

impl ListPage {
    /// Reads the body of a list response. Records that cannot be read are counted and skipped.
    ///
    /// # Errors
    /// [`RecordError`] if the body is not a JSON array.
    pub fn parse(json: &str) -> Result<Self, RecordError> {
        let records = Record::parse_array(json, "a list of payment records")?;
        let readable = records.iter().flatten();
        let payments: Vec<_> = readable
            .filter_map(|record| Payment::try_from(record).ok())
            .collect();
        Ok(Self {
            unreadable: records.len() - payments.len(),
            payments,
        })
    }

    /// Whether the page contains no records. Such a page is past the end of the list.
    pub fn is_empty(&self) -> bool {
        self.payments.is_empty() && self.unreadable == 0
    }
}
