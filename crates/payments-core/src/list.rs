//! The payments that have been loaded, each of them once, in the service's order, and without a gap.
//!
//! The list grows while it is read. So older payments are read after the last loaded one, and newer ones from the start up to
//! a loaded one.

mod page;

use tender_protocol::{Payment, Status};

pub use page::ListPage;

/// The result of merging payments into the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The `transactionId`s of the payments that were added.
    pub added: Vec<String>,
    /// The payments that differ from before, each with its previous status.
    pub changed: Vec<(Payment, Status)>,
}

/// The payments that have been loaded, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PaymentList {
    payments: Vec<Payment>,
    /// The `transactionId` of the last record that was loaded.
    last: Option<String>,
    /// The number of unreadable records among the newest ones, which are read again.
    newest_unreadable: usize,
    /// The number of the other unreadable records.
    older_unreadable: usize,
}

impl PaymentList {
    /// The list that begins with this page.
    pub fn starting_with(page: ListPage) -> Self {
        let mut list = Self {
            last: page.last.clone(),
            ..Self::default()
        };
        list.merge_newest(page);
        list
    }

    /// The payments, newest first.
    pub fn payments(&self) -> &[Payment] {
        &self.payments
    }

    /// The payment with this `transactionId`.
    pub fn get(&self, id: &str) -> Option<&Payment> {
        self.position(id).and_then(|index| self.payments.get(index))
    }

    /// The `transactionId` after which older payments are read; `None` if no record has one.
    pub fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }

    /// The `transactionId` of the payment before this one.
    pub fn before(&self, id: &str) -> Option<&str> {
        let before = self.payments.get(self.position(id)?.checked_sub(1)?)?;
        Some(&before.transaction_id)
    }

    /// The number of records that could not be read.
    pub fn unreadable(&self) -> usize {
        self.newest_unreadable + self.older_unreadable
    }

    /// Whether the page contains a loaded payment.
    pub fn overlaps(&self, page: &ListPage) -> bool {
        let mut payments = page.payments.iter();
        payments.any(|payment| self.get(&payment.transaction_id).is_some())
    }

    /// Merges the newest payments, one of which was loaded before if any was.
    pub fn merge_newest(&mut self, page: ListPage) -> Merged {
        self.newest_unreadable = page.unreadable;
        self.merge(page.payments)
    }

    /// Merges the payments after [`last`](Self::last).
    pub fn merge_older(&mut self, page: ListPage) -> Merged {
        self.older_unreadable += page.unreadable;
        self.last = page.last.or(self.last.take());
        self.merge(page.payments)
    }

    /// Merges payments that are in the service's order. New ones are inserted next to the loaded ones among them, or at the
    /// end if there is none.
    pub fn merge(&mut self, payments: Vec<Payment>) -> Merged {
        let mut merged = Merged::default();
        let mut ids = payments.iter().map(|payment| &*payment.transaction_id);
        let known = ids.find_map(|id| self.position(id));
        let mut next = known.unwrap_or(self.payments.len());
        for payment in payments {
            let known = self.position(&payment.transaction_id);
            let entry = known.and_then(|index| Some((index, self.payments.get_mut(index)?)));
            if let Some((index, entry)) = entry {
                let previous = std::mem::replace(entry, payment);
                if previous != *entry {
                    merged.changed.push((entry.clone(), previous.status));
                }
                next = index + 1;
            } else {
                merged.added.push(payment.transaction_id.clone());
                self.payments.insert(next.min(self.payments.len()), payment);
                next += 1;
            }
        }
        merged
    }

    fn position(&self, id: &str) -> Option<usize> {
        self.payments
            .iter()
            .position(|payment| payment.transaction_id == id)
    }
}
