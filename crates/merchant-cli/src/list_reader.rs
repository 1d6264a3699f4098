//! Reads the list from its start on.

use tender_protocol::Record;

use crate::client::Client;
use crate::failure::Failure;
use crate::print::count;

/// The field that names a payment. A record with other invalid fields may still have it.
pub(crate) const TRANSACTION_ID: &str = "transactionId";

/// The payments read so far, newest first.
#[derive(Default)]
pub(crate) struct ListReader {
    pub(crate) records: Vec<Record>,
    /// The payment that was read last.
    last: Option<String>,
    pub(crate) pages: u32,
    /// Whether the end of the list was reached.
    pub(crate) ended: bool,
}

impl ListReader {
    /// Reads the next page.
    pub(crate) async fn next(&mut self, client: &Client) -> Result<(), Failure> {
        let records = match &self.last {
            Some(last) => client.list_after(last).await?,
            None => client.page(1).await?,
        };
        let id = |record: &Record| record.text(TRANSACTION_ID);
        let last = records.iter().rev().find_map(id);
        if last.is_some() && last == self.last {
            let reason = "the proxy lists the same payments again; is it an older version?";
            return Err(Failure::Failed(reason.to_owned()));
        }
        self.pages += 1;
        self.ended = last.is_none();
        self.last = last.or(self.last.take());
        self.records.extend(records);
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
