//! Whether the service's list goes from the newest payments to the oldest.
//!
//! The service documents only that "the first page holds the last 20 payments". So a search for a payment
//! may skip pages, or end before the list does, only if the pages that it has read show their order.

use std::cmp::Ordering;
use std::collections::HashMap;

use tender_protocol::Record;

use crate::clock::Millis;
use crate::statuses::{is_created, transaction_id};
use crate::store::attempts::CreationTime;

/// How many newer or older payments in the status of creation must have been read. One could be where it is
/// by chance.
const ENOUGH: usize = 3;

/// What the pages that were read, one after the other, show about the order.
pub(super) struct ListOrder {
    /// Payments of this proxy that were not on these pages.
    unread: HashMap<String, CreationTime>,
    /// The time in which the payments of this proxy on these pages were created. It has no end if the first
    /// page was read.
    oldest: Millis,
    newest: Millis,
    /// How many of them are newer and older than the attempt and in the status of creation, as the payment
    /// that is looked for. In the order of statuses or of changes, too, that one is between them.
    newer: usize,
    older: usize,
    is_other: bool,
}

impl ListOrder {
    /// Before pages are read, with the payments of this proxy that can still be paid.
    pub(super) fn new(open: HashMap<String, CreationTime>, skips_pages: bool) -> Self {
        Self {
            unread: open,
            oldest: Millis::MAX,
            newest: if skips_pages {
                Millis::MIN
            } else {
                Millis::MAX
            },
            newer: 0,
            older: 0,
            is_other: false,
        }
    }

    /// Adds the next page. `age` compares a payment with the attempt.
    pub(super) fn add(&mut self, page: &[Record], age: impl Fn(CreationTime) -> Ordering) {
        for record in page {
            let Some(created) = transaction_id(record).and_then(|id| self.unread.remove(&id))
            else {
                continue;
            };
            self.oldest = self.oldest.min(created.before);
            self.newest = self.newest.max(created.after);
            match age(created) {
                Ordering::Greater if is_created(record) => self.newer += 1,
                Ordering::Less if is_created(record) => self.older += 1,
                _ => {}
            }
        }
        let mut unread = self.unread.values();
        self.is_other |=
            unread.any(|unread| unread.after > self.oldest && unread.before < self.newest);
    }

    /// Whether a payment of this proxy is on another page than in a list from the newest to the oldest. Then
    /// the pages show nothing.
    pub(super) fn is_other(&self) -> bool {
        self.is_other
    }

    /// Whether the payment of the attempt can't be on a page before the first one that was read.
    pub(super) fn shows_newer(&self) -> bool {
        !self.is_other && self.newer >= ENOUGH
    }

    /// Whether the payment of the attempt can't be on a page after the last one that was read.
    pub(super) fn shows_older(&self) -> bool {
        !self.is_other && self.older >= ENOUGH
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Payments that were created at the times 0 to 9, and an attempt at the time 5.
    fn order(skips_pages: bool) -> ListOrder {
        let at = |time: Millis| CreationTime {
            after: 10 * time,
            before: 10 * time + 15,
        };
        let payments = (0..10).filter(|time| *time != 5);
        let open = payments.map(|time| (time.to_string(), at(time))).collect();
        ListOrder::new(open, skips_pages)
    }

    fn page(times: &[Millis], status: &str) -> Vec<Record> {
        let record = |time| {
            let json =
                format!(r#"{{"transactionId":"{time}","statusId":"1","statusText":"{status}"}}"#);
            Record::parse(&json, "a payment record").unwrap()
        };
        times.iter().map(record).collect()
    }

    fn age(created: CreationTime) -> Ordering {
        match created {
            CreationTime { before, .. } if before < 50 => Ordering::Less,
            CreationTime { after, .. } if after > 55 => Ordering::Greater,
            _ => Ordering::Equal,
        }
    }

    /// Whether each of these pages shows that the later ones have older payments.
    fn older(pages: &[&[Millis]]) -> Vec<bool> {
        let mut order = order(false);
        let pages = pages.iter().map(|times| page(times, "Created"));
        pages
            .map(|page| {
                order.add(&page, age);
                order.shows_older()
            })
            .collect()
    }

    /// Whether a page in the middle shows that the earlier ones have newer payments.
    fn newer(times: &[Millis], status: &str) -> bool {
        let mut order = order(true);
        order.add(&page(times, status), age);
        order.shows_newer()
    }

    #[test]
    fn enough_older_payments_show_the_order() {
        assert_eq!(
            older(&[&[9, 8, 7], &[6, 5, 4], &[3, 2, 1]]),
            [false, false, true]
        );
        // Payments of others don't count, and neither does the order in a page.
        assert_eq!(
            older(&[&[20, 8, 7, 9, 21], &[1, 3, 2, 4, 6]]),
            [false, true]
        );
        // Two that were created at the same time may be in either order.
        assert_eq!(
            older(&[&[9, 8, 6], &[7, 4, 3], &[2, 1]]),
            [false, false, true]
        );
    }

    #[test]
    fn a_newer_payment_on_a_later_page_shows_another_order() {
        assert_eq!(
            older(&[&[1, 2, 3], &[4, 6, 7], &[8, 9]]),
            [false, false, false]
        );
        assert_eq!(older(&[&[9, 8, 5], &[7, 6, 4, 3, 2, 1]]), [false, true]);
        assert_eq!(older(&[&[9, 6], &[8, 7, 4, 3, 2, 1]]), [false, false]);
        assert_eq!(older(&[&[3, 2, 1, 0]]), [false]);
    }

    #[test]
    fn enough_newer_payments_show_that_pages_can_be_skipped() {
        assert!(newer(&[8, 7, 6, 4], "Created"));
        assert!(!newer(&[8, 7, 4], "Created"));
        assert!(!newer(&[9, 8, 6, 1], "Created"));
        assert!(!newer(&[8, 7, 6, 4], "Paid"));
    }

    #[test]
    fn a_changed_payment_shows_nothing() {
        let mut order = order(false);
        order.add(&page(&[9, 8, 7, 6, 3, 2, 1, 0], "Paid"), age);
        order.add(&page(&[4], "Created"), age);
        assert!(!order.shows_older());
    }
}
