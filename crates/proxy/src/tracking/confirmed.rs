//! Which stored records were confirmed by the service recently, as far as this instance knows.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// How long a record that is not polled may be handed out without another read of the list.
const VALID: Duration = Duration::from_mins(1);

/// The number of payments from which on old entries are removed.
const MANY: usize = 10_000;

/// Payments by transactionId.
#[derive(Default)]
pub(super) struct Confirmed(Mutex<Entries>);

#[derive(Default)]
struct Entries {
    by_id: HashMap<String, Entry>,
    /// How many were left when old ones were removed last.
    left: usize,
}

struct Entry {
    at: Instant,
    is_contradictory: bool,
}

impl Confirmed {
    /// Notes that the stored record is what the service says now.
    pub(super) fn add(&self, transaction_id: &str) {
        self.insert(transaction_id, false);
    }

    /// Notes that the list contradicts the stored record. Returns whether that is new.
    pub(super) fn contradicts(&self, transaction_id: &str) -> bool {
        let before = self.insert(transaction_id, true);
        before.is_none_or(|before| !before.is_contradictory)
    }

    /// Whether the record was confirmed within the last minute.
    pub(super) fn is_recent(&self, transaction_id: &str) -> bool {
        let entries = self.0.lock();
        let entry = entries.by_id.get(transaction_id);
        entry.is_some_and(|entry| entry.at.elapsed() < VALID)
    }

    fn insert(&self, transaction_id: &str, is_contradictory: bool) -> Option<Entry> {
        let at = Instant::now();
        let mut entries = self.0.lock();
        entries.remove_old(at);
        let before = entries.by_id.get(transaction_id);
        // The list may hold a record of the payment as well as another one.
        let is_contradictory = is_contradictory || before.is_some_and(|it| it.is_contradictory);
        let entry = Entry {
            at,
            is_contradictory,
        };
        entries.by_id.insert(transaction_id.to_owned(), entry)
    }
}

impl Entries {
    /// Removes old entries when there are many, and twice as many as were left the last time: otherwise each new entry
    /// would have to look at all others.
    fn remove_old(&mut self, now: Instant) {
        if self.by_id.len() >= MANY.max(2 * self.left) {
            self.by_id
                .retain(|_, entry| now.saturating_duration_since(entry.at) < VALID);
            self.left = self.by_id.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries that were confirmed at these times, and how many were left the last time.
    fn entries(times: &[(usize, Instant)], left: usize) -> Entries {
        let mut entries = Entries {
            left,
            ..Entries::default()
        };
        for (number, at) in times {
            let from = entries.by_id.len();
            for id in from..from + number {
                let entry = Entry {
                    at: *at,
                    is_contradictory: false,
                };
                entries.by_id.insert(id.to_string(), entry);
            }
        }
        entries
    }

    #[test]
    fn old_entries_are_removed_when_their_number_has_doubled() {
        let old = Instant::now();
        let now = old + VALID;
        for (left, removed) in [(0, true), (MANY / 2, true), (MANY / 2 + 1, false)] {
            let mut entries = entries(&[(1, old), (MANY - 1, now)], left);
            entries.remove_old(now);
            assert_eq!(entries.by_id.len(), MANY - usize::from(removed), "{left}");
        }
    }

    #[test]
    fn new_entries_stay_and_are_not_looked_at_again_at_once() {
        let now = Instant::now();
        let mut entries = entries(&[(MANY, now)], 0);
        entries.remove_old(now);
        assert_eq!((entries.by_id.len(), entries.left), (MANY, MANY));
    }
}
