//! Reads the service's list in order: for an attempt only as far as its payment may be.

use std::time::Duration;

use tender_protocol::{PAGE_SIZE, Record};

use super::list_order::ListOrder;
use super::{LeaseError, Payments};
use crate::service::ServiceError;
use crate::service::list::{ListReader, MAX_PAGES};
use crate::statuses::transaction_id;
use crate::store::attempts::Lease;

/// How many payments at the start of a page are looked up in the attempt store. A few are
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
    skips_pages: bool,
    /// What the pages show; `None` without an attempt.
    order: Option<ListOrder>,
    is_at_end: bool,
}

/// Where a walk begins.
#[derive(Clone, Copy)]
pub(super) enum Start {
    /// At the page that probably has the attempt's payment, if the list goes from the newest payments to
    /// the oldest.
    Likely,
    /// At the first page.
    First,
}

/// What a walk has found.
pub(super) enum Walked<T> {
    Found(T),
    Nothing(NothingFound),
}

/// No payment up to a page.
#[derive(Clone, Copy)]
pub(super) struct NothingFound {
    /// The number of pages, also of skipped ones.
    pages: u32,
    /// Whether the payment can't be on a skipped page.
    is_conclusive: bool,
}

impl<T> Walked<T> {
    /// Where the list has to be read once more. If another payment left it between two pages, the one that
    /// is looked for may have moved to a page that was read already.
    pub(super) fn repeat(&self) -> Option<Start> {
        match self {
            Self::Nothing(nothing) if nothing.pages > 1 && nothing.is_conclusive => {
                Some(Start::Likely)
            }
            _ => self.complete(),
        }
    }

    /// Where the list has to be read if the payment may be on a skipped page.
    pub(super) fn complete(&self) -> Option<Start> {
        match self {
            Self::Nothing(nothing) if !nothing.is_conclusive => Some(Start::First),
            _ => None,
        }
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
            skips_pages: false,
            order: None,
            is_at_end: false,
        };
        let Some(lease) = lease else {
            return Ok(walk);
        };
        if let Start::Likely = start {
            walk.skip_newer(lease).await?;
        }
        walk.skips_pages = walk.position() > 0;
        let open = self.store.open_payments(MAX_LISTED, &lease.attempt).await?;
        walk.order = Some(ListOrder::new(open, walk.skips_pages));
        Ok(walk)
    }
}

impl Walk<'_> {
    /// The number of the next page, from 0. Skipped pages count.
    pub(super) fn position(&self) -> u32 {
        self.reader.position()
    }

    /// Whether the walk began after the first page.
    pub(super) fn skips_pages(&self) -> bool {
        self.skips_pages
    }

    /// What it means that the pages up to here don't have the payment.
    pub(super) fn nothing_found(&self) -> NothingFound {
        let shows_newer = self.order.as_ref().is_some_and(ListOrder::shows_newer);
        NothingFound {
            pages: self.position(),
            is_conclusive: !self.skips_pages || shows_newer,
        }
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
                Err(error @ ServiceError::Unread(_)) => return Err(error.into()),
                // A single failed page should not end a long walk.
                Err(_) if self.position() > 0 && tries < TRIES => {}
                Err(error) => return Err(error.into()),
            }
        };
        if let (Some(records), Some(lease), Some(order)) = (&records, lease, &mut self.order) {
            order.add(records, |created| lease.attempt.compare_age(created));
            // In another order, the list has to be read from its first page.
            self.is_at_end = order.shows_older() || (self.skips_pages && order.is_other());
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
        let newer = store.count_newer(&lease.attempt).await? / PAGE_SIZE;
        let mut page = u32::try_from(newer).unwrap_or(u32::MAX);
        while page > 0 {
            store.renew(lease).await?;
            // This is an estimate, so a page that can't be read doesn't matter.
            let records = self.reader.page(page).await.ok().flatten();
            for id in records
                .iter()
                .flatten()
                .take(SAMPLE)
                .filter_map(transaction_id)
            {
                if store.is_newer(&id, &lease.attempt).await? {
                    self.reader.seek(page);
                    return Ok(());
                }
            }
            page /= 2;
        }
        Ok(())
    }
}
