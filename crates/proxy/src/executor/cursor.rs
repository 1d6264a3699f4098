//! The merchant's list, read on from a payment.
//!
//! The service has only pages. New payments move the others to later pages, also between two calls. So an answer is made of
//! one page, and of the page after it only if the payment was the last one of its page before and after that one was read.

use std::time::Duration;

use tender_ledger::transaction_id;
use tender_protocol::{ProblemCode, Record};

use super::Executor;
use crate::config::ListOrder;
use crate::error::Error;
use crate::service::ServiceError;
use crate::service::list::{ListReader, Unread};
use crate::shared::Shared;

/// How long the page of a payment is remembered.
pub(super) const CURSOR_TIME: Duration = Duration::from_hours(1);

impl Executor {
    /// Up to a page of the records after this payment, as the service lists them. At the end of the list, there is none.
    ///
    /// # Errors
    /// [`ProblemCode::CursorUnknown`] if the list does not have the payment, or has it after more pages than are read.
    pub(crate) async fn list_after(&self, id: &str) -> Result<Vec<Record>, Error> {
        if self.shared.config.upstream.list_order != ListOrder::NewestFirst {
            let reason =
                "`after` needs the setting `list_order = newest-first`; read the list by `page`";
            return Err(Error::invalid(reason));
        }
        // The next request goes on where the time of this one ended.
        let Shared { store, service, .. } = &*self.shared;
        let mut reader = service.list_reader(store.config.upstream.timeout);
        let from = match self.listed_at.get(id) {
            Some(noted) => noted.value,
            None => self.first_page_of(id).await?,
        };
        let mut found = self.read_after(id, from, &mut reader).await?;
        if found.is_none() && from > 0 {
            // Payments before it may have left the list.
            found = self.read_after(id, 0, &mut reader).await?;
        }
        found.ok_or(Error::Problem(ProblemCode::CursorUnknown))
    }

    /// The records after this payment, which is looked for from this page on. `None` if these pages don't have it.
    async fn read_after(
        &self,
        id: &str,
        mut page: u32,
        reader: &mut ListReader<'_>,
    ) -> Result<Option<Vec<Record>>, Error> {
        while let Some(records) = page_of_list(reader, page).await? {
            self.listed_at.insert(id, page);
            match after(&records, id) {
                Some([]) => {
                    let next = page_of_list(reader, page + 1).await?.unwrap_or_default();
                    let again = page_of_list(reader, page).await?.unwrap_or_default();
                    if after(&next, id).is_some() {
                        page += 1;
                    } else if after(&again, id).is_some_and(<[_]>::is_empty) {
                        self.note(&next, page + 1);
                        return Ok(Some(next));
                    }
                }
                Some(rest) => {
                    self.note(rest, page);
                    return Ok(Some(rest.to_vec()));
                }
                None => page += 1,
            }
        }
        Ok(None)
    }

    /// Notes at which page the last payment of an answer is: it is the next cursor.
    fn note(&self, records: &[Record], page: u32) {
        if let Some(id) = records.iter().rev().find_map(transaction_id) {
            self.listed_at.insert(&id, page);
        }
    }
}

/// The records of a page; `None` past the end of the list. A service may refuse such a page, or return its last one.
async fn page_of_list(
    reader: &mut ListReader<'_>,
    page: u32,
) -> Result<Option<Vec<Record>>, Error> {
    reader.go_to(page);
    match reader.next().await {
        Err(ServiceError::Unread(Unread::Repeated)) => Ok(None),
        Err(ServiceError::Unread(Unread::Pages)) => Err(ProblemCode::CursorUnknown.into()),
        Err(ServiceError::Unread(unread)) => Err(ServiceError::Timeout(unread.to_string()).into()),
        Err(error) if page > 0 && error.is_past_the_end() => Ok(None),
        read => Ok(read?),
    }
}

/// The records after this payment on its page; none if no payment is after it. `None` if the page does not have it.
fn after<'a>(records: &'a [Record], id: &str) -> Option<&'a [Record]> {
    let is_it = |record: &Record| transaction_id(record).as_deref() == Some(id);
    let rest = records.get(records.iter().rposition(is_it)? + 1..)?;
    let has_payment = rest.iter().any(|record| transaction_id(record).is_some());
    Some(if has_payment { rest } else { &[] })
}
