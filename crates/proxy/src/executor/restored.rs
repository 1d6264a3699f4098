//! What is done after the database was restored from a backup: the service's list is read for what the backup lacks.

use std::collections::HashSet;

use tender_ledger::{Meaning, transaction_id};
use tender_protocol::Record;

use super::Executor;
use super::list::first_day;
use crate::error::Error;
use crate::service::ServiceError;
use crate::service::list::Unread;
use crate::shared::Shared;

/// What the list had that the backup lacks.
pub(crate) struct Restored {
    /// The number of pages that were read.
    pub(crate) pages: usize,
    /// The number of payments.
    pub(crate) payments: usize,
    /// Those without an invoice number, whose orders are not known.
    pub(crate) without_order: Vec<String>,
}

impl Executor {
    /// Reads the list back to payments that are in the backup. Stores the records, and which payments the backup lacks. No other
    /// process uses the database.
    ///
    /// # Errors
    /// The list can't be read. Then nothing is stored.
    pub(crate) async fn restored(&self) -> Result<Restored, Error> {
        let Shared {
            store, statuses, ..
        } = &*self.shared;
        // The time since the backup does not count for what is kept.
        store.database.count_time().await?;
        // The service may still execute what it was asked for before the proxy stopped.
        tokio::time::sleep(store.config.upstream.until_settled()).await;
        let date = store.newest_date_before(store.last_event().await?).await?;
        let day = first_day(date);
        let mut pages = self.pages_since(&day).await?;
        let read = pages.len();
        if read > 1 {
            // A payment may have moved to a page that was read before.
            pages.extend(self.pages_since(&day).await?);
        }
        let (mut missing, mut seen, mut is_known) = (Vec::new(), HashSet::new(), false);
        for page in &pages {
            let ids: Vec<_> = page.iter().filter_map(transaction_id).collect();
            let ids: Vec<_> = ids.iter().map(String::as_str).collect();
            let known = store.of_attempts(&ids).await?;
            is_known |= !known.is_empty();
            for record in page {
                let id = transaction_id(record).filter(|id| !known.contains(id));
                let has_ended = statuses.meaning(record) == Meaning::Closed;
                if let Some(id) = id
                    && !has_ended
                    && seen.insert(id.clone())
                {
                    missing.push((id, record.clone()));
                }
            }
        }
        if !is_known && store.has_payments().await? {
            return Err(ServiceError::from(Unread::OfOthers).into());
        }
        store.note_restore(&missing).await?;
        let asked_after = store.last_event().await?;
        for page in &pages {
            for id in page.iter().filter_map(transaction_id) {
                self.store_listed(&id, page, asked_after).await?;
            }
        }
        let without_order = missing
            .iter()
            .filter(|(_, record)| record.text("invoiceNumber").is_none());
        Ok(Restored {
            pages: read,
            payments: missing.len(),
            without_order: without_order.map(|(id, _)| id.clone()).collect(),
        })
    }

    /// The pages of the list that may have a payment of this day or later.
    async fn pages_since(&self, day: &str) -> Result<Vec<Vec<Record>>, Error> {
        let mut pages = Vec::new();
        let mut reader = self.list_reader();
        loop {
            match self.next_page(&mut reader, None).await {
                Ok(Some(records)) => {
                    let is_past = self.is_past(&records, day);
                    pages.push(records);
                    if is_past {
                        break;
                    }
                }
                Ok(None) => break,
                // A reader has limits because the client of a request waits.
                Err(Error::Service(error))
                    if matches!(*error, ServiceError::Unread(Unread::Pages | Unread::Time)) =>
                {
                    let next = reader.position();
                    reader = self.list_reader();
                    reader.skip_to(next);
                }
                Err(error) => return Err(error),
            }
        }
        let first = pages.first().into_iter().flatten();
        let first = first.filter_map(transaction_id).collect();
        self.check_first_page(&first).await?;
        Ok(pages)
    }
}
