//! The payments that were read so far, each of them once.
//!
//! The service gives its list in pages, and the list goes on growing while it is read: what was on
//! page one may be on page two a moment later. So records are merged by their `transactionId`, and
//! never by where they stood.

use std::collections::{BTreeMap, BTreeSet};

use tender_protocol::{PAGE_SIZE, Payment, Record, RecordError, Status};

/// One page of the list, as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The records, in the service's order.
    pub payments: Vec<Payment>,
    /// How many more there are that can't be read.
    pub unreadable: usize,
}

impl Page {
    /// Reads an answer of the list. A record that can't be read does not keep the others from it.
    ///
    /// # Errors
    /// [`RecordError`] where the answer is not an array.
    pub fn parse(json: &str) -> Result<Self, RecordError> {
        let records = Record::parse_array(json, "a list of payment records")?;
        let readable = records.iter().flatten();
        let payments: Vec<_> = readable
            .filter_map(|record| Payment::try_from(record).ok())
            .collect();
        Ok(Self {
            unreadable: records.len() - payments.len(),
            payments,
        })
    }

    /// Whether there is nothing on it: it is past the end of the list.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.payments.is_empty() && self.unreadable == 0
    }
}

/// Where in the book the payments of a page belong that the book does not hold, as long as none of
/// the page is known: else they go before or behind that one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Before all others: the newest.
    Front,
    /// Behind the payment of this `transactionId`: the page before ended with it.
    After(String),
    /// Behind all others: the oldest.
    Back,
}

/// What a page has brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// `transactionId`s of the payments that were not there before.
    pub added: Vec<String>,
    /// Payments that read otherwise than before, with the status that they had.
    pub changed: Vec<(Payment, Status)>,
    /// Whether one of them was there before and is not loose: what was added is without a gap to it.
    pub overlaps: bool,
}

/// The payments that were read so far, in the service's order.
///
/// Payments that were added are *loose* until it is known that there is no gap between them and the
/// others. That is known once a page holds both: see [`settle`](Self::settle). Where more have come than
/// are read at once, there is a gap behind the last of them: see [`settle_before_gap`](Self::settle_before_gap).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    payments: Vec<Payment>,
    loose: BTreeSet<String>,
    /// Behind this payment there is a gap.
    gap: Option<Gap>,
    /// How many records of each page could not be read.
    unreadable: BTreeMap<u32, usize>,
}

/// Where payments may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Gap {
    /// `transactionId` of the last payment before it.
    after: String,
    /// The page that this was on.
    page: u32,
}

impl Book {
    /// The payments, newest first.
    #[must_use]
    pub fn payments(&self) -> &[Payment] {
        &self.payments
    }

    /// The payment of this `transactionId`.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Payment> {
        self.position(id).and_then(|at| self.payments.get(at))
    }

    /// How many records could not be read.
    #[must_use]
    pub fn unreadable(&self) -> usize {
        self.unreadable.values().sum()
    }

    /// Whether no payment is there that is not loose.
    #[must_use]
    pub fn is_all_loose(&self) -> bool {
        self.payments.len() <= self.loose.len()
    }

    /// Whether the page holds a payment that is there and not loose, or there is none.
    #[must_use]
    pub fn joins(&self, page: &Page) -> bool {
        let is_firm = |payment: &Payment| {
            let id = &payment.transaction_id;
            self.get(id).is_some() && !self.loose.contains(id)
        };
        self.is_all_loose() || page.payments.iter().any(is_firm)
    }

    /// The page, counted from 1, that holds what comes behind the book. It is read again as long as
    /// it is not full.
    #[must_use]
    pub fn next_page(&self) -> u32 {
        page_of(self.payments.len() + self.unreadable())
    }

    /// The page that holds the payment, where the list is as it was when it was read.
    #[must_use]
    pub fn page_of(&self, id: &str) -> Option<u32> {
        self.position(id).map(page_of)
    }

    /// Takes in the page of this number.
    pub fn merge(&mut self, number: u32, page: Page, place: &Place) -> Merged {
        self.unreadable.insert(number, page.unreadable);
        self.take(page.payments, place)
    }

    /// Takes in payments in the service's order.
    pub fn take(&mut self, payments: Vec<Payment>, place: &Place) -> Merged {
        let mut merged = Merged::default();
        let mut ids = payments.iter().map(|payment| &*payment.transaction_id);
        let mut at = match (ids.find_map(|id| self.position(id)), place) {
            (Some(known), _) => known,
            (None, Place::Front) => 0,
            (None, Place::After(id)) => self.position(id).map_or(0, |at| at + 1),
            (None, Place::Back) => self.payments.len(),
        };
        for payment in payments {
            let known = self.position(&payment.transaction_id);
            let slot = known.and_then(|index| Some((index, self.payments.get_mut(index)?)));
            if let Some((index, slot)) = slot {
                merged.overlaps |= !self.loose.contains(&payment.transaction_id);
                let before = std::mem::replace(slot, payment);
                if before != *slot {
                    merged.changed.push((slot.clone(), before.status));
                }
                at = index + 1;
            } else {
                self.loose.insert(payment.transaction_id.clone());
                merged.added.push(payment.transaction_id.clone());
                self.payments.insert(at.min(self.payments.len()), payment);
                at += 1;
            }
        }
        merged
    }

    /// There is no gap: nothing is loose any more.
    pub fn settle(&mut self) {
        self.loose.clear();
    }

    /// Behind the payment of this `transactionId`, the last one of this page, there may be others that were never
    /// read; before it there are none.
    pub fn settle_before_gap(&mut self, id: String, page: u32) {
        self.settle();
        self.gap = Some(Gap { after: id, page });
    }

    /// Whether there may be payments between others that were never read.
    #[must_use]
    pub fn has_gap(&self) -> bool {
        self.gap.is_some()
    }

    /// Lets go of all that lies behind the gap: it comes back with the pages of older payments, and what is in
    /// the gap with it.
    pub fn cut_at_gap(&mut self) {
        let Some(gap) = self.gap.take() else {
            return;
        };
        if let Some(last) = self.position(&gap.after) {
            self.payments.truncate(last + 1);
        }
        self.unreadable.retain(|page, _| *page <= gap.page);
    }

    /// Lets go of payments again whose place is not known: they come back with their page.
    pub fn forget(&mut self, ids: &[String]) {
        let is_kept = |payment: &Payment| !ids.contains(&payment.transaction_id);
        self.payments.retain(is_kept);
        self.loose.retain(|id| !ids.contains(id));
    }

    fn position(&self, id: &str) -> Option<usize> {
        self.payments
            .iter()
            .position(|payment| payment.transaction_id == id)
    }
}

/// The page, counted from 1, of the record at this place, counted from 0.
fn page_of(index: usize) -> u32 {
    u32::try_from(index / PAGE_SIZE).map_or(u32::MAX, |page| page.saturating_add(1))
}
