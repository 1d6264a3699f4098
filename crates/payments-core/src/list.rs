//! The payments that have been loaded, each of them once.
//!
//! The service returns its list in pages, newest first, and the list grows while it is read: a
//! payment that was on page one may be on page two a moment later. So records are merged by their
//! `transactionId`, never by their position.

mod page;

use std::collections::{BTreeMap, BTreeSet};

use tender_protocol::{PAGE_SIZE, Payment, Status};

pub use page::ListPage;

/// Where to insert the payments of a page if none of them is in the list yet. Otherwise they are
/// inserted next to the known ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    /// At the start: these are the newest.
    Start,
    /// After the payment with this `transactionId`, the last one of the previous page.
    After(String),
    /// At the end: these are the oldest.
    End,
}

/// The result of merging a page into the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The `transactionId`s of the payments that were added.
    pub added: Vec<String>,
    /// The payments that differ from before, each with its previous status.
    pub changed: Vec<(Payment, Status)>,
    /// Whether the page contains a confirmed payment. If so, there is no gap between the added
    /// payments and the rest of the list.
    pub overlaps: bool,
}

/// The payments that have been loaded, in the service's order.
///
/// An added payment is *unconfirmed* until it is known that no payment is missing between it and the
/// rest of the list. That is known once one page contains both: then call
/// [`confirm`](Self::confirm). If more payments are new than one refresh loads, a gap remains: then
/// call [`confirm_before_gap`](Self::confirm_before_gap).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PaymentList {
    payments: Vec<Payment>,
    unconfirmed: BTreeSet<String>,
    gap: Option<Gap>,
    /// The number of unreadable records by page number.
    unreadable: BTreeMap<u32, usize>,
}

/// A place in the list where payments may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Gap {
    /// The `transactionId` of the last payment before the gap.
    after: String,
    /// The number of the page that contained this payment.
    page: u32,
}

impl PaymentList {
    /// The payments, newest first.
    pub fn payments(&self) -> &[Payment] {
        &self.payments
    }

    /// The payment with this `transactionId`.
    pub fn get(&self, id: &str) -> Option<&Payment> {
        self.position(id).and_then(|index| self.payments.get(index))
    }

    /// The number of records that could not be read.
    pub fn unreadable(&self) -> usize {
        self.unreadable.values().sum()
    }

    /// Whether the list contains no confirmed payment.
    pub fn has_no_confirmed(&self) -> bool {
        self.payments.len() <= self.unconfirmed.len()
    }

    /// Whether the page contains a confirmed payment, or the list contains none.
    pub fn connects_to(&self, page: &ListPage) -> bool {
        let is_confirmed = |payment: &Payment| {
            let id = &payment.transaction_id;
            self.get(id).is_some() && !self.unconfirmed.contains(id)
        };
        self.has_no_confirmed() || page.payments.iter().any(is_confirmed)
    }

    /// The number of the page, counted from 1, that contains the payments after the loaded ones. A
    /// page that was not full is loaded again.
    pub fn next_page(&self) -> u32 {
        page_of(self.payments.len() + self.unreadable())
    }

    /// The number of the page that contains the payment, if the service's list has not changed
    /// since it was loaded.
    pub fn page_of(&self, id: &str) -> Option<u32> {
        self.position(id).map(page_of)
    }

    /// Merges the page with this number.
    pub fn merge_page(&mut self, number: u32, page: ListPage, position: &Position) -> Merged {
        self.unreadable.insert(number, page.unreadable);
        self.merge(page.payments, position)
    }

    /// Merges payments that are in the service's order.
    pub fn merge(&mut self, payments: Vec<Payment>, position: &Position) -> Merged {
        let mut merged = Merged::default();
        let mut ids = payments.iter().map(|payment| &*payment.transaction_id);
        let mut next = match (ids.find_map(|id| self.position(id)), position) {
            (Some(known), _) => known,
            (None, Position::Start) => 0,
            (None, Position::After(id)) => self.position(id).map_or(0, |index| index + 1),
            (None, Position::End) => self.payments.len(),
        };
        for payment in payments {
            let known = self.position(&payment.transaction_id);
            let entry = known.and_then(|index| Some((index, self.payments.get_mut(index)?)));
            if let Some((index, entry)) = entry {
                merged.overlaps |= !self.unconfirmed.contains(&payment.transaction_id);
                let previous = std::mem::replace(entry, payment);
                if previous != *entry {
                    merged.changed.push((entry.clone(), previous.status));
                }
                next = index + 1;
            } else {
                self.unconfirmed.insert(payment.transaction_id.clone());
                merged.added.push(payment.transaction_id.clone());
                self.payments.insert(next.min(self.payments.len()), payment);
                next += 1;
            }
        }
        merged
    }

    /// Marks all payments as confirmed: none is missing between them.
    pub fn confirm(&mut self) {
        self.unconfirmed.clear();
    }

    /// Marks all payments as confirmed, with a gap after the payment `id`, which is the last one of
    /// this page.
    pub fn confirm_before_gap(&mut self, id: String, page: u32) {
        self.confirm();
        self.gap = Some(Gap { after: id, page });
    }

    /// Whether payments may be missing between the loaded ones.
    pub fn has_gap(&self) -> bool {
        self.gap.is_some()
    }

    /// Removes all payments after the gap. They are loaded again as older pages, together with the
    /// missing ones.
    pub fn truncate_at_gap(&mut self) {
        let Some(gap) = self.gap.take() else {
            return;
        };
        if let Some(last) = self.position(&gap.after) {
            self.payments.truncate(last + 1);
        }
        self.unreadable.retain(|page, _| *page <= gap.page);
    }

    /// Removes payments whose position is not known. They are loaded again with their page.
    pub fn remove(&mut self, ids: &[String]) {
        self.payments
            .retain(|payment| !ids.contains(&payment.transaction_id));
        self.unconfirmed.retain(|id| !ids.contains(id));
    }

    fn position(&self, id: &str) -> Option<usize> {
        self.payments
            .iter()
            .position(|payment| payment.transaction_id == id)
    }
}

/// The number of the page, counted from 1, that contains the record with this index.
fn page_of(index: usize) -> u32 {
    u32::try_from(index / PAGE_SIZE).map_or(u32::MAX, |page| page.saturating_add(1))
}
