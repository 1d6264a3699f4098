//! The pages of the service's list that a poll cycle reads.
//!
//! "The first page holds the last 20 payments" (the service's document, "List payments"), so new
//! payments are on the first pages. A cycle reads pages in order, until it has found all wanted
//! payments or read its maximum number of pages. If the first pages don't contain all of them, the
//! last page of each cycle is a deeper one, which advances by one page per cycle. Cycles of a
//! single page never do this.

/// The deepest page, counted from 0: 10,000 payments.
const DEEPEST: u32 = 499;

pub(super) struct Pages {
    /// Maximum number of pages per cycle.
    budget: u32,
    read: u32,
    /// Number of wanted payments that were not found yet.
    missing: u64,
    /// The deeper page of this cycle.
    deep: u32,
    /// Whether the deeper page was read.
    went_deep: bool,
    ended: bool,
}

impl Pages {
    pub(super) fn new(budget: u32, wanted: u64, deep: u32) -> Self {
        let first_deep = budget.saturating_sub(1);
        let deep = if (first_deep..=DEEPEST).contains(&deep) {
            deep
        } else {
            first_deep
        };
        Self {
            budget,
            read: 0,
            missing: wanted,
            deep,
            went_deep: false,
            ended: false,
        }
    }

    /// The next page to read, from 0. The first page is always read.
    pub(super) fn next(&mut self) -> Option<u32> {
        let is_enough = self.read > 0 && self.missing == 0;
        if is_enough || self.ended || self.read == self.budget {
            return None;
        }
        self.read += 1;
        if self.read < self.budget || self.budget == 1 {
            return Some(self.read - 1);
        }
        self.went_deep = true;
        Some(self.deep)
    }

    /// Reports how many wanted payments the page contained.
    pub(super) fn found(&mut self, wanted: u64) {
        self.missing = self.missing.saturating_sub(wanted);
    }

    /// Whether there are wanted payments that were not found yet.
    pub(super) fn are_wanted(&self) -> bool {
        self.missing > 0
    }

    /// Reports that the cycle can't read on: the list has ended, or the next page is refused.
    pub(super) fn end(&mut self) {
        self.ended = true;
    }

    /// The deeper page of the next cycle. It stays the same if the cycle has found everything.
    pub(super) fn next_deep(&self) -> u32 {
        if !self.went_deep || self.missing == 0 {
            return self.deep;
        }
        if self.ended {
            return 0;
        }
        self.deep + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pages of a cycle that finds `on_each` payments on each page.
    fn cycle(budget: u32, wanted: u64, on_each: u64, deep: u32) -> (Vec<u32>, u32) {
        let mut pages = Pages::new(budget, wanted, deep);
        let mut read = Vec::new();
        while let Some(page) = pages.next() {
            read.push(page);
            pages.found(on_each);
        }
        (read, pages.next_deep())
    }

    #[test]
    fn a_cycle_reads_until_everything_is_found() {
        assert_eq!(cycle(5, 1, 1, 0).0, [0]);
        assert_eq!(cycle(5, 30, 20, 0).0, [0, 1]);
        // A requested cycle reads one page even if no payment is wanted.
        assert_eq!(cycle(5, 0, 0, 0).0, [0]);
    }

    #[test]
    fn each_cycle_reads_one_page_deeper() {
        let mut deep = 0;
        for page in 4..20 {
            let (read, next) = cycle(5, 1, 0, deep);
            assert_eq!(read, [0, 1, 2, 3, page]);
            deep = next;
        }
        assert_eq!(cycle(5, 1, 0, DEEPEST).0, [0, 1, 2, 3, DEEPEST]);
        assert_eq!(cycle(5, 1, 0, DEEPEST + 1).0, [0, 1, 2, 3, 4]);
        // When everything is found, the position is kept.
        assert_eq!(cycle(5, 20, 20, 7), (vec![0], 7));
        assert_eq!(cycle(5, 100, 20, 0), (vec![0, 1, 2, 3, 4], 4));
        assert_eq!(cycle(1, 9, 0, 3).0, [0]);
    }

    #[test]
    fn after_the_last_page_it_starts_again() {
        let mut pages = Pages::new(2, 9, 6);
        assert_eq!((pages.next(), pages.next()), (Some(0), Some(6)));
        pages.end();
        assert_eq!(pages.next_deep(), 0);
        let mut pages = Pages::new(5, 9, 6);
        assert_eq!(pages.next(), Some(0));
        pages.end();
        assert_eq!((pages.next(), pages.next_deep()), (None, 6));
    }
}
