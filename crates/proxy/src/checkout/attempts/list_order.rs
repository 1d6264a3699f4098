//! Whether the service's list goes from the newest payments to the oldest.
//!
//! The service documents only that "the first page holds the last 20 payments". So a search for a payment
//! may end before the list does only if the pages that it has read show their order.

use std::collections::HashMap;

use tender_protocol::Record;

use super::walk::id;
use crate::clock::Millis;
use crate::statuses::is_created;
use crate::store::attempts::CreationTime;

/// How many older payments in the status of creation must have been read. One could be where it is by
/// chance.
const ENOUGH: usize = 3;

/// What the pages up to the last one that was read show about the order.
pub(super) struct ListOrder {
    /// Payments of this proxy that were not on these pages.
    unread: HashMap<String, CreationTime>,
    /// The end of the time in which the oldest one on these pages was created.
    oldest: Millis,
    /// How many of them are older than the attempt and in the status of creation, as the payment that is
    /// looked for. A list in the order of statuses or of changes has that payment before them, too.
    older: usize,
    is_other: bool,
}

impl ListOrder {
    /// Before the first page, with the payments of this proxy that can still be paid.
    pub(super) fn new(open: HashMap<String, CreationTime>) -> Self {
        Self {
            unread: open,
            oldest: Millis::MAX,
            older: 0,
            is_other: false,
        }
    }

    /// Adds the next page. Returns whether the payment of the attempt can't be on a later one: no payment
    /// of this proxy on a later page is newer than one on an earlier page, and the pages have enough
    /// payments that are older than the attempt.
    pub(super) fn shows_older(
        &mut self,
        page: &[Record],
        is_older: impl Fn(CreationTime) -> bool,
    ) -> bool {
        for record in page {
            let Some(created) = id(record).and_then(|id| self.unread.remove(&id)) else {
                continue;
            };
            self.oldest = self.oldest.min(created.before);
            if is_older(created) && is_created(record) {
                self.older += 1;
            }
        }
        self.is_other |= self
            .unread
            .values()
            .any(|unread| unread.after > self.oldest);
        !self.is_other && self.older >= ENOUGH
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Payments that were created at the times 0 to 9, and an attempt at the time 5.
    fn order() -> ListOrder {
        let at = |time: Millis| CreationTime {
            after: 10 * time,
            before: 10 * time + 15,
        };
        let payments = (0..10).filter(|time| *time != 5);
        ListOrder::new(payments.map(|time| (time.to_string(), at(time))).collect())
    }

    fn page(times: &[Millis], status: &str) -> Vec<Record> {
        let record = |time| {
            let json =
                format!(r#"{{"transactionId":"{time}","statusId":"1","statusText":"{status}"}}"#);
            Record::parse(&json, "a payment record").unwrap()
        };
        times.iter().map(record).collect()
    }

    /// What each of these pages shows.
    fn show(pages: &[&[Millis]]) -> Vec<bool> {
        let mut order = order();
        let is_older = |created: CreationTime| created.before < 50;
        let pages = pages.iter().map(|times| page(times, "Created"));
        pages
            .map(|page| order.shows_older(&page, is_older))
            .collect()
    }

    #[test]
    fn enough_older_payments_show_the_order() {
        assert_eq!(
            show(&[&[9, 8, 7], &[6, 5, 4], &[3, 2, 1]]),
            [false, false, true]
        );
        // Payments of others don't count, and neither does the order in a page.
        assert_eq!(show(&[&[20, 8, 7, 9, 21], &[1, 3, 2, 4, 6]]), [false, true]);
        // Two that were created at the same time may be in either order.
        assert_eq!(
            show(&[&[9, 8, 6], &[7, 4, 3], &[2, 1]]),
            [false, false, true]
        );
    }

    #[test]
    fn a_newer_payment_on_a_later_page_shows_another_order() {
        assert_eq!(
            show(&[&[1, 2, 3], &[4, 6, 7], &[8, 9]]),
            [false, false, false]
        );
        assert_eq!(show(&[&[9, 8, 5], &[7, 6, 4, 3, 2, 1]]), [false, true]);
        assert_eq!(show(&[&[9, 6], &[8, 7, 4, 3, 2, 1]]), [false, false]);
        assert_eq!(show(&[&[3, 2, 1, 0]]), [false]);
    }

    #[test]
    fn a_changed_payment_shows_nothing() {
        let is_older = |created: CreationTime| created.before < 50;
        let mut order = order();
        assert!(!order.shows_older(&page(&[9, 8, 7, 6, 3, 2, 1, 0], "Paid"), is_older));
        assert!(!order.shows_older(&page(&[4], "Created"), is_older));
    }
}
