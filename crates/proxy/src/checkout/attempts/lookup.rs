//! Searches the service's list for a payment that may have been created.

use tender_protocol::{PAGE_SIZE, Record};

use super::comparison::{Likeness, compare};
use super::{LeaseError, Payments};
use crate::checkout::Error;
use crate::service::ServiceError;
use crate::statuses::{status, text};
use crate::store::attempts::{CreatedPayment, Lease, Stage, WriteError};

/// How many pages a search reads at most.
///
/// A page may have any number of records, so only an empty page is the end.
///
/// The first pages contain the newest payments. A search skips the pages that are certainly newer
/// than the attempt and stops at payments that are certainly older. To tell newer from older, it
/// compares them with the stored payments of other attempts; this limit applies if there are none.
pub(super) const MAX_PAGES: u32 = 200;

/// How many payments at the start or end of a page are looked up in the attempt store. A few are
/// enough, because most payments are in it.
const SAMPLE: usize = 3;

/// How often a page is requested before the search fails.
const TRIES: u32 = 3;

/// What the service's list says about one payment.
pub(super) enum Listed {
    /// The payment's record.
    Record(Record),
    /// The payment is not in the list.
    Absent,
    /// The list has records of the payment with different statuses.
    Contradictory,
    /// The search ended at its limit, or the list can't be read.
    Unknown,
}

impl Payments {
    /// Finds the payment of an attempt whose response was lost. A missing payment counts as not
    /// created only after the service's settle time has passed.
    pub(super) async fn search(
        &self,
        lease: &mut Lease,
    ) -> Result<Option<CreatedPayment>, LeaseError> {
        loop {
            let settled = tokio::time::Instant::from_std(lease.settles_at());
            let early = tokio::time::Instant::now() < settled;
            let found = self.search_once(lease).await?;
            if found.is_some() || !early {
                return Ok(found);
            }
            tokio::time::sleep_until(settled).await;
        }
    }

    /// Searches the list once. Fails if the list may hold the payment, because then no other one may
    /// be created.
    async fn search_once(&self, lease: &mut Lease) -> Result<Option<CreatedPayment>, LeaseError> {
        let first = self.first_page(lease).await?;
        let mut possible = None;
        for page in first..first.saturating_add(MAX_PAGES) {
            let Some(records) = self.page(page, lease).await? else {
                return nothing_but(possible);
            };
            let reaches_older = self.reaches_older(&records, lease).await?;
            for record in records {
                match compare(&lease.attempt, &record, &self.statuses) {
                    Likeness::Same(created) => {
                        let answered = Stage::Created(created.clone());
                        match self.store.advance(lease, answered).await {
                            Ok(()) => return Ok(Some(created)),
                            // The payment belongs to another attempt.
                            Err(WriteError::Claimed) => {}
                            Err(error) => return Err(error.into()),
                        }
                    }
                    Likeness::Possible(id) => {
                        let known = self.store.has_payment(&id).await;
                        if !known.map_err(Error::from)? {
                            possible.get_or_insert(id);
                        }
                    }
                    Likeness::Different => {}
                }
            }
            if reaches_older {
                return nothing_but(possible);
            }
        }
        Err(unidentified(format!(
            "the search ended after {MAX_PAGES} pages"
        )))
    }

    /// Finds the current record of a payment in the service's list.
    pub(super) async fn find_listed(
        &self,
        transaction_id: &str,
        lease: &mut Lease,
    ) -> Result<Listed, LeaseError> {
        let first = self.first_page(lease).await?;
        for page in first..first.saturating_add(MAX_PAGES) {
            let Some(records) = self.page(page, lease).await? else {
                return Ok(Listed::Absent);
            };
            let reaches_older = self.reaches_older(&records, lease).await?;
            if let Some(listed) = on_page(records, transaction_id) {
                return Ok(listed);
            }
            if reaches_older {
                return Ok(Listed::Absent);
            }
        }
        Ok(Listed::Unknown)
    }

    /// The page to start with: all pages before it are newer than the attempt's payment. The number
    /// of stored payments gives an estimate, and a newer payment on that page confirms it.
    async fn first_page(&self, lease: &mut Lease) -> Result<u32, LeaseError> {
        let newer = self.store.count_newer(&lease.attempt).await;
        let newer = newer.map_err(Error::from)? / PAGE_SIZE;
        let mut page = u32::try_from(newer).unwrap_or(u32::MAX);
        while page > 0 {
            let records = self.page(page, lease).await?.unwrap_or_default();
            for id in records.iter().take(SAMPLE).filter_map(id) {
                let newer = self.store.is_newer(&id, &lease.attempt);
                if newer.await.map_err(Error::from)? {
                    return Ok(page);
                }
            }
            page /= 2;
        }
        Ok(0)
    }

    /// Whether a page contains payments older than the attempt, so that later pages can be skipped.
    async fn reaches_older(&self, records: &[Record], lease: &Lease) -> Result<bool, LeaseError> {
        for id in records.iter().rev().take(SAMPLE).filter_map(id) {
            let older = self.store.is_older(&id, &lease.attempt);
            if older.await.map_err(Error::from)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A page of the list; `None` past its end. The service does not document its response there.
    async fn page(&self, page: u32, lease: &mut Lease) -> Result<Option<Vec<Record>>, LeaseError> {
        let mut tries = 0;
        loop {
            self.store.renew(lease).await?;
            tries += 1;
            match self.service.records(page).await {
                Ok(records) => return Ok(records),
                Err(error) if page > 0 && error.is_past_the_end() => return Ok(None),
                // A single failed page should not end a long search.
                Err(_) if page > 0 && tries < TRIES => {}
                Err(error) => return Err(Error::from(error).into()),
            }
        }
    }
}

/// What a page says about a payment; `None` if the payment is not on it.
pub(super) fn on_page(records: Vec<Record>, transaction_id: &str) -> Option<Listed> {
    let is_it = |record: &Record| id(record).is_some_and(|found| found == transaction_id);
    let mut found = records.into_iter().filter(is_it);
    let first = found.next()?;
    let is_certain = found.all(|other| status(&other) == status(&first));
    Some(if is_certain {
        Listed::Record(first)
    } else {
        Listed::Contradictory
    })
}

fn id(record: &Record) -> Option<String> {
    text(record, "transactionId")
}

/// The list does not hold the payment, unless this record may be it.
fn nothing_but(possible: Option<String>) -> Result<Option<CreatedPayment>, LeaseError> {
    match possible {
        None => Ok(None),
        Some(id) => Err(unidentified(format!("it may be {id}"))),
    }
}

fn unidentified(reason: String) -> LeaseError {
    Error::from(ServiceError::Unidentified(reason)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_of_pages_is_documented() {
        let page = include_str!("../../../../../docs/proxy.md");
        assert!(page.contains(&format!("after {MAX_PAGES} pages")));
    }
}
