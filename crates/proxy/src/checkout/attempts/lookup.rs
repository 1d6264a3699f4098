//! Searches the service's list for a payment that may have been created.

use tender_protocol::{PAGE_SIZE, Payment, Record, Status, TokenCode};

use super::{LeaseError, Payments};
use crate::checkout::Error;
use crate::store::attempts::{CreatedPayment, Lease, Stage, StoredAttempt, WriteError};

/// How many pages a search reads at most.
///
/// The first pages contain the newest payments. A search skips the pages that are certainly newer
/// than the attempt and stops at payments that are certainly older. To tell newer from older, it
/// compares them with the stored payments of other attempts; this limit applies if there are none.
const MAX_PAGES: u32 = 200;

/// How many payments at the start or end of a page are looked up in the attempt store. A few are
/// enough, because most payments are in it.
const SAMPLE: usize = 3;

/// How often a page is requested before the search fails.
const TRIES: u32 = 3;

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

    /// Searches the list once.
    async fn search_once(&self, lease: &mut Lease) -> Result<Option<CreatedPayment>, LeaseError> {
        let first = self.first_page(lease).await?;
        for page in first..first.saturating_add(MAX_PAGES) {
            let Some(records) = self.page(page, lease).await? else {
                return Ok(None);
            };
            let last = records.len() < PAGE_SIZE || self.reaches_older(&records, lease).await?;
            for record in records {
                let Some(payment) =
                    payment(&record).filter(|found| matches_attempt(&lease.attempt, found))
                else {
                    continue;
                };
                let created = CreatedPayment {
                    transaction_id: payment.transaction_id,
                    record,
                };
                let answered = Stage::Answered(created.clone());
                match self.store.advance(lease, answered).await {
                    Ok(()) => return Ok(Some(created)),
                    // The payment belongs to another attempt.
                    Err(WriteError::Claimed) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            if last {
                return Ok(None);
            }
        }
        tracing::warn!(pages = MAX_PAGES, "stopped searching the list");
        Ok(None)
    }

    /// The current record of an attempt's payment in the service's list; `None` if it is not found
    /// or the list can't be read.
    pub(super) async fn find_listed(
        &self,
        transaction_id: &str,
        lease: &mut Lease,
    ) -> Result<Option<Record>, LeaseError> {
        match self.find_by_id(transaction_id, lease).await {
            Err(LeaseError::Failed(error)) => {
                tracing::warn!(transaction_id, %error, "can't find a payment in the list");
                Ok(None)
            }
            found => found,
        }
    }

    async fn find_by_id(
        &self,
        transaction_id: &str,
        lease: &mut Lease,
    ) -> Result<Option<Record>, LeaseError> {
        let first = self.first_page(lease).await?;
        for page in first..first.saturating_add(MAX_PAGES) {
            let records = self.page(page, lease).await?.unwrap_or_default();
            let last = records.len() < PAGE_SIZE || self.reaches_older(&records, lease).await?;
            let is_it = |record: &Record| {
                payment(record).is_some_and(|found| found.transaction_id == transaction_id)
            };
            let found = records.into_iter().find(is_it);
            if found.is_some() || last {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The page to start with: all pages before it are newer than the attempt's payment. The number
    /// of stored payments gives an estimate, and a newer payment on that page confirms it.
    async fn first_page(&self, lease: &mut Lease) -> Result<u32, LeaseError> {
        let newer = self.store.count_newer(&lease.attempt).await;
        let newer = newer.map_err(Error::from)? / PAGE_SIZE;
        let mut page = u32::try_from(newer).unwrap_or(u32::MAX);
        while page > 0 {
            let records = self.page(page, lease).await?.unwrap_or_default();
            for payment in records.iter().take(SAMPLE).filter_map(payment) {
                let newer = self.store.is_newer(&payment.transaction_id, &lease.attempt);
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
        for payment in records.iter().rev().take(SAMPLE).filter_map(payment) {
            let older = self.store.is_older(&payment.transaction_id, &lease.attempt);
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
                Ok(records) => return Ok(Some(records)),
                Err(error) if page > 0 && error.is_past_the_end() => return Ok(None),
                // A single failed page should not end a long search.
                Err(_) if page > 0 && tries < TRIES => {}
                Err(error) => return Err(Error::from(error).into()),
            }
        }
    }
}

/// The payment, or `None` if the record can't be read.
fn payment(record: &Record) -> Option<Payment> {
    Payment::try_from(record).ok()
}

/// Whether a payment is what an attempt asks for, and still unpaid.
///
/// A ticker such as `USDT` in the record does not match the code `usdtt`: the wrong network would
/// lose the money, while a payment that is created twice is still paid only once.
fn matches_attempt(stored: &StoredAttempt, found: &Payment) -> bool {
    let request = &stored.request;
    let code = |text: &String| TokenCode::from(text.as_str());
    let same_payment = found.status == Status::Created
        && found.invoice_number.as_deref() == Some(&request.invoice_number)
        && found.quantity == request.quantity
        && code(&found.token) == request.token
        && code(&found.payment_token) == request.payment_token;
    // Without a signed order, several buyers may use the same invoice number.
    let same_buyer = stored.signed
        || (found.purchase_email == request.purchase_email
            && found.purchase_name == request.purchase_name);
    same_payment && same_buyer
}
