//! Reads the list page by page.

use std::collections::HashSet;

use tender_protocol::Record;

use crate::client::Client;
use crate::failure::Failure;
use crate::print::count;

/// The field that names a payment. A record with other invalid fields may still have it.
pub(crate) const TRANSACTION_ID: &str = "transactionId";

/// The payments read so far, newest first and without duplicates.
#[derive(Default)]
pub(crate) struct ListReader {
    pub(crate) records: Vec<Record>,
    ids: HashSet<String>,
    pub(crate) pages: u32,
    /// Whether the end of the list was reached.
    pub(crate) ended: bool,
    /// Whether the last page contained only known payments.
    repeated: bool,
}

impl ListReader {
    /// Reads the next page.
    ///
    /// New payments push older ones to the next page, so a page may contain only known payments
    /// once. A second such page in a row means that the service repeats its last page.
    pub(crate) async fn next(&mut self, client: &Client) -> Result<(), Failure> {
        let records = client.page(self.pages + 1).await?;
        self.pages += 1;
        let before = self.records.len();
        let is_empty = records.is_empty();
        for record in records {
            let id = record.text(TRANSACTION_ID);
            let is_new = id.is_none_or(|id| self.ids.insert(id));
            if is_new {
                self.records.push(record);
            }
        }
        let repeats = self.records.len() == before;
        self.ended = is_empty || repeats && self.repeated;
        self.repeated = repeats;
        Ok(())
    }

    /// Describes how much of the list was read.
    pub(crate) fn extent(&self) -> String {
        let payments = count(self.records.len(), "payment");
        if self.ended {
            return format!("the list of {payments}");
        }
        let pages = count(self.pages, "page");
        format!("the newest {payments} ({pages}); --pages reads more")
    }
}
