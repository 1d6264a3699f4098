//! Searches the service's list for a payment that may have been created.

use tender_protocol::{PAGE_SIZE, Record};

use super::comparison::{Likeness, compare};
use super::{LeaseError, Payments};
use crate::checkout::Error;
use crate::identity::is_same_invoice;
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

/// What a search of the list has found.
enum Search {
    Found(CreatedPayment),
    /// No payment up to this number of pages.
    Nothing {
        pages: u32,
    },
}

/// Payments that a search has found, but not recognised with certainty.
#[derive(Default)]
struct Candidates {
    similar: Option<CreatedPayment>,
    /// Names a record that may be the payment.
    possible: Option<String>,
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
            let mut found = self.search_once(lease).await?;
            if !early && matches!(found, Search::Nothing { pages: 2.. }) {
                // If another payment left the list between two pages, this one may have moved to a
                // page that was read already.
                found = self.search_once(lease).await?;
            }
            match found {
                Search::Found(created) => return Ok(Some(created)),
                Search::Nothing { .. } if early => tokio::time::sleep_until(settled).await,
                Search::Nothing { .. } => return Ok(None),
            }
        }
    }

    /// Searches the list once. Fails if the list may hold the payment, because then no other one may
    /// be created.
    async fn search_once(&self, lease: &mut Lease) -> Result<Search, LeaseError> {
        let first = self.first_page(lease).await?;
        let mut candidates = Candidates::default();
        let mut before = None;
        for page in first..first.saturating_add(MAX_PAGES) {
            let records = self.page(page, before, lease).await?.unwrap_or_default();
            let is_end = records.is_empty() || self.reaches_older(&records, lease).await?;
            before = Some(records.len());
            for record in records {
                match compare(&lease.attempt, &record, &self.statuses) {
                    Likeness::Same(created) => {
                        if self.take(lease, &created).await? {
                            return Ok(Search::Found(created));
                        }
                    }
                    Likeness::Similar(created) => {
                        let known = self.store.has_payment(&created.transaction_id).await;
                        if !known.map_err(Error::from)? {
                            candidates.add_similar(created);
                        }
                    }
                    Likeness::Possible(id) => {
                        let known = match &id {
                            Some(id) => self.store.has_payment(id).await.map_err(Error::from)?,
                            None => false,
                        };
                        if !known {
                            candidates.add_possible(id);
                        }
                    }
                    Likeness::Different => {}
                }
            }
            if is_end {
                if let Some(created) = candidates.only_similar()? {
                    self.refuse_another_owner(lease, &created).await?;
                    if self.take(lease, &created).await? {
                        return Ok(Search::Found(created));
                    }
                }
                // Skipped pages count, too.
                return Ok(Search::Nothing { pages: page + 1 });
            }
        }
        Err(unidentified(format!(
            "the search ended after {MAX_PAGES} pages"
        )))
    }

    /// Makes a payment the one of the attempt, unless it belongs to another one.
    async fn take(&self, lease: &mut Lease, created: &CreatedPayment) -> Result<bool, LeaseError> {
        let answered = Stage::Created(created.clone());
        match self.store.advance(lease, answered).await {
            Ok(()) => Ok(true),
            Err(WriteError::Claimed) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Fails if a payment whose invoice number is written differently may belong to another order.
    async fn refuse_another_owner(
        &self,
        lease: &Lease,
        created: &CreatedPayment,
    ) -> Result<(), LeaseError> {
        let id = &created.transaction_id;
        let listed = created.record.text("invoiceNumber").unwrap_or_default();
        let others = self.store.other_invoices(&lease.attempt).await;
        let mut others = others.map_err(Error::from)?.into_iter();
        let is_owner = |other: String| is_same_invoice(&other, &listed);
        let may_be_past = self.store.may_be_of_past_order(id, &listed).await;
        if others.any(is_owner) || may_be_past.map_err(Error::from)? {
            return Err(unidentified(format!("{id} may be of another order")));
        }
        Ok(())
    }

    /// Finds the current record of a payment in the service's list.
    pub(super) async fn find_listed(
        &self,
        transaction_id: &str,
        lease: &mut Lease,
    ) -> Result<Listed, LeaseError> {
        let first = self.first_page(lease).await?;
        let mut before = None;
        for page in first..first.saturating_add(MAX_PAGES) {
            let Some(records) = self.page(page, before, lease).await? else {
                return Ok(Listed::Absent);
            };
            before = Some(records.len());
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
            // This is an estimate, so a page that is refused doesn't matter.
            let records = self.page(page, Some(0), lease).await?.unwrap_or_default();
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

    /// A page of the list; `None` past its end. The service does not document its response there: an
    /// empty page is the end, and so is a refused one if the page `before` was not full.
    async fn page(
        &self,
        page: u32,
        before: Option<usize>,
        lease: &mut Lease,
    ) -> Result<Option<Vec<Record>>, LeaseError> {
        let may_be_last = before.is_some_and(|records| records < PAGE_SIZE);
        let mut tries = 0;
        loop {
            self.store.renew(lease).await?;
            tries += 1;
            match self.service.records(page).await {
                Ok(records) => return Ok(records),
                Err(error) if may_be_last && error.is_past_the_end() => return Ok(None),
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

impl Candidates {
    fn add_similar(&mut self, created: CreatedPayment) {
        match &self.similar {
            // A new payment may have moved this one to the next page.
            Some(known) if known.transaction_id == created.transaction_id => {}
            Some(_) => self.add_possible(Some(created.transaction_id)),
            None => self.similar = Some(created),
        }
    }

    fn add_possible(&mut self, id: Option<String>) {
        let id = id.unwrap_or_else(|| "a record that can't be read".to_owned());
        self.possible.get_or_insert(id);
    }

    /// The only payment that the attempt's may be, if there is one.
    fn only_similar(self) -> Result<Option<CreatedPayment>, LeaseError> {
        match self.possible {
            None => Ok(self.similar),
            Some(id) => Err(unidentified(format!("it may be {id}"))),
        }
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
