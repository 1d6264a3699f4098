//! A part of the service's list.

use tender_protocol::{Payment, Record, RecordError};

/// Successive records of the list, as the service returned them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListPage {
    /// The payments, in the service's order.
    pub payments: Vec<Payment>,
    /// The number of records that could not be read.
    pub unreadable: usize,
    /// The last `transactionId`, also that of a record that could not be read. At the end of the list, there is none.
    pub last: Option<String>,
}

impl ListPage {
    /// Reads the body of a list response. Records that cannot be read are counted and skipped.
    ///
    /// # Errors
    /// [`RecordError`] if the body is not a JSON array.
    pub fn parse(json: &str) -> Result<Self, RecordError> {
        let records = Record::parse_array(json, "a list of payment records")?;
        let readable = records.iter().flatten();
        let ids = readable.clone();
        let payments: Vec<_> = readable
            .filter_map(|record| Payment::try_from(record).ok())
            .collect();
        Ok(Self {
            unreadable: records.len() - payments.len(),
            payments,
            last: ids.rev().find_map(|record| record.text("transactionId")),
        })
    }

    /// Adds the records after these.
    pub fn extend(&mut self, page: Self) {
        self.payments.extend(page.payments);
        self.unreadable += page.unreadable;
        self.last = page.last.or(self.last.take());
    }
}
