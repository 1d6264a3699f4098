//! Pages of the list, put together.

use std::collections::HashSet;

use tender_protocol::{Payment, Record};

use super::client::Client;
use super::failure::Failure;
use super::text::count;

/// What was read of the list, the newest first, each payment once.
#[derive(Default)]
pub(super) struct ListReader {
    pub(super) records: Vec<Record>,
    ids: HashSet<String>,
    pub(super) pages: u32,
    /// Whether there is no more of it.
    pub(super) ended: bool,
    /// Whether the last page brought nothing new.
    repeated: bool,
}

impl ListReader {
    /// Reads the next page. What has slid down onto it while newer payments came is there already: once,
    /// that may be all of it. A service that has no other page shows it again.
    pub(super) async fn next(&mut self, client: &Client) -> Result<(), Failure> {
        let records = client.page(self.pages + 1).await?;
        self.pages += 1;
        let before = self.records.len();
        let is_empty = records.is_empty();
        for record in records {
            let is_new = transaction_id(&record).is_none_or(|id| self.ids.insert(id));
            if is_new {
                self.records.push(record);
            }
        }
        let repeats = self.records.len() == before;
        self.ended = is_empty || repeats && self.repeated;
        self.repeated = repeats;
        Ok(())
    }

    /// How far was looked.
    pub(super) fn extent(&self) -> String {
        let payments = count(self.records.len(), "payment");
        if self.ended {
            return format!("the list, which has {payments}");
        }
        let pages = count(self.pages, "page");
        format!("the newest {payments} ({pages}); --pages looks further")
    }
}

/// The payment's identifier, where the record has one.
pub(super) fn transaction_id(record: &Record) -> Option<String> {
    let payment = Payment::try_from(record).map(|payment| payment.transaction_id);
    // A record that is not as documented may still have that.
    payment.ok().or_else(|| record.string("transactionId"))
}
