//! Reads the service's list in order: for an attempt only as far as its payment may be.

use std::time::Duration;

use tender_protocol::{PAGE_SIZE, Record};

use super::list_order::ListOrder;
use super::{LeaseError, Payments};
use crate::checkout::Error;
use crate::service::ServiceError;
use crate::service::list::{ListReader, MAX_PAGES};
use crate::statuses::text;
use crate::store::attempts::Lease;

/// How many payments at the start or end of a page are looked up in the attempt store. A few are
/// enough, because most payments are in it.
const SAMPLE: usize = 3;

/// How often a page is requested before the walk fails.
const TRIES: u32 = 3;

/// How many calls' time the list may be read for.
const MAX_CALLS: u32 = 3;

/// How many payments the pages of a walk have, at most.
const MAX_LISTED: usize = MAX_PAGES as usize * PAGE_SIZE;

/// A walk through the list.
pub(super) struct Walk<'a> {
    payments: &'a Payments,
    reader: ListReader<'a>,
    end: End,
    is_at_end: bool,
}

/// Where a walk begins.
#[derive(Clone, Copy)]
pub(super) enum Start {
    /// At the page that probably has the attempt's payment, if the list goes from the newest payments to
    /// the oldest. A walk that finds nothing there proves nothing.
    Likely,
    /// At the first page.
    First,
}

/// Where a walk ends, at the latest with the list.
enum End {
    /// Not before.
    OfList,
    /// After a page with a payment that is older than the attempt.
    Older,
    /// After pages that show that all later payments are older than the attempt.
    ShownOlder(ListOrder),
}

/// What a walk has found.
pub(super) enum Walked<T> {
    Found(T),
    /// No payment up to this number of pages.
    Nothing {
        pages: u32,
    },
}

impl<T> Walked<T> {
    /// Whether the list has to be read once more, from its first page. If another payment left it between
    /// two pages, the one that is looked for may have moved to a page that was read already; and if the
    /// walk has skipped pages, it may be on one of them.
    pub(super) fn may_have_missed(&self) -> bool {
        matches!(self, Self::Nothing { pages: 2.. })
    }
}

impl Payments {
    /// Begins a walk, with the lease of the attempt whose payment is looked for if there is one. Without
    /// an attempt, the list is read from its first page to its end.
    pub(super) async fn walk(
        &self,
        lease: Option<&mut Lease>,
        start: Start,
    ) -> Result<Walk<'_>, LeaseError> {
        let time: Duration = self.store.timeouts().term.call * MAX_CALLS;
        let mut walk = Walk {
            payments: self,
            reader: self.service.list_reader(time),
            end: End::OfList,
            is_at_end: false,
        };
        let Some(lease) = lease else {
            return Ok(walk);
        };
        if let Start::Likely = start {
            walk.skip_newer(lease).await?;
        }
        walk.end = if walk.position() > 0 {
            End::Older
        } else {
            let open = self.store.open_payments(MAX_LISTED, &lease.attempt).await;
            End::ShownOlder(ListOrder::new(open.map_err(Error::from)?))
        };
        Ok(walk)
    }
}

impl Walk<'_> {
    /// The number of the next page, from 0. Skipped pages count.
    pub(super) fn position(&self) -> u32 {
        self.reader.position()
    }

    /// Whether pages were skipped.
    pub(super) fn is_partial(&self) -> bool {
        matches!(self.end, End::Older)
    }

    /// The records of the next page; `None` at the end, or after the pages that may hold the payment of
    /// the attempt.
    ///
    /// # Errors
    /// If the list can't be read to its end.
    pub(super) async fn next(
        &mut self,
        mut lease: Option<&mut Lease>,
    ) -> Result<Option<Vec<Record>>, LeaseError> {
        if self.is_at_end {
            return Ok(None);
        }
        let mut tries = 0;
        let records = loop {
            if let Some(lease) = &mut lease {
                self.payments.store.renew(lease).await?;
            }
            tries += 1;
            match self.reader.next().await {
                Ok(records) => break records,
                Err(error @ ServiceError::Unread(_)) => return Err(Error::from(error).into()),
                // A single failed page should not end a long walk.
                Err(_) if self.position() > 0 && tries < TRIES => {}
                Err(error) => return Err(Error::from(error).into()),
            }
        };
        if let (Some(records), Some(lease)) = (&records, lease) {
            self.is_at_end = match &mut self.end {
                End::OfList => false,
                End::Older => self.has_older(records, lease).await?,
                End::ShownOlder(order) => {
                    order.shows_older(records, |created| lease.attempt.is_after(created))
                }
            };
        }
        Ok(records)
    }

    /// The records of the next page, which stays the next one; none if it can't be read.
    pub(super) async fn peek(
        &mut self,
        lease: Option<&mut Lease>,
    ) -> Result<Vec<Record>, LeaseError> {
        if let Some(lease) = lease {
            self.payments.store.renew(lease).await?;
        }
        let records = self.reader.page(self.position()).await.ok().flatten();
        Ok(records.unwrap_or_default())
    }

    /// Goes to the page to start with: all pages before it are newer than the attempt's payment. The
    /// number of stored payments gives an estimate, and a newer payment on that page confirms it.
    async fn skip_newer(&mut self, lease: &mut Lease) -> Result<(), LeaseError> {
        let store = &self.payments.store;
        let newer = store.count_newer(&lease.attempt).await;
        let newer = newer.map_err(Error::from)? / PAGE_SIZE;
        let mut page = u32::try_from(newer).unwrap_or(u32::MAX);
        while page > 0 {
            store.renew(lease).await?;
            // This is an estimate, so a page that can't be read doesn't matter.
            let records = self.reader.page(page).await.ok().flatten();
            for id in records.iter().flatten().take(SAMPLE).filter_map(id) {
                let newer = store.is_newer(&id, &lease.attempt);
                if newer.await.map_err(Error::from)? {
                    self.reader.seek(page);
                    return Ok(());
                }
            }
            page /= 2;
        }
        Ok(())
    }

    /// Whether one of the last payments of a page is older than the attempt.
    async fn has_older(&self, records: &[Record], lease: &Lease) -> Result<bool, LeaseError> {
        for id in records.iter().rev().take(SAMPLE).filter_map(id) {
            let older = self.payments.store.is_older(&id, &lease.attempt);
            if older.await.map_err(Error::from)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The transactionId of a record.
pub(super) fn id(record: &Record) -> Option<String> {
    text(record, "transactionId")
}
