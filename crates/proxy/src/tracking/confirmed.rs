//! Which stored records were confirmed by the service recently, as far as this instance knows.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a record that is not polled may be handed out without another read of the list.
const VALID: Duration = Duration::from_mins(1);

/// The number of payments from which on old entries are removed.
const MANY: usize = 10_000;

/// Payments by transactionId.
#[derive(Default)]
pub(super) struct Confirmed(Mutex<HashMap<String, Entry>>);

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
        let entries = self.lock();
        let entry = entries.get(transaction_id);
        entry.is_some_and(|entry| entry.at.elapsed() < VALID)
    }

    fn insert(&self, transaction_id: &str, is_contradictory: bool) -> Option<Entry> {
        let mut entries = self.lock();
        if entries.len() >= MANY {
            entries.retain(|_, entry| entry.at.elapsed() < VALID);
        }
        let before = entries.get(transaction_id);
        // The list may hold a record of the payment as well as another one.
        let is_contradictory = is_contradictory || before.is_some_and(|it| it.is_contradictory);
        let at = Instant::now();
        let entry = Entry {
            at,
            is_contradictory,
        };
        entries.insert(transaction_id.to_owned(), entry)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Entry>> {
        // Every change is atomic, so the data is valid even after a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
