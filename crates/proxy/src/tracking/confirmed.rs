//! Which stored records were confirmed by the service recently, as far as this instance knows.

use std::time::Duration;

use moka::sync::Cache;

/// How long a record that is not polled may be handed out without another read of the list.
const VALID: Duration = Duration::from_mins(1);

/// Payments by transactionId, and whether the list contradicts their stored records.
pub(super) struct Confirmed(Cache<String, bool>);

impl Default for Confirmed {
    fn default() -> Self {
        Self(Cache::builder().time_to_live(VALID).build())
    }
}

impl Confirmed {
    /// Notes that the stored record is what the service says now. The list may hold a record of the payment
    /// as well as another one, so a contradiction stays.
    pub(super) fn add(&self, transaction_id: &str) {
        let is_contradictory = self.0.get(transaction_id).unwrap_or_default();
        self.0.insert(transaction_id.to_owned(), is_contradictory);
    }

    /// Notes that the list contradicts the stored record. Returns whether that is new.
    pub(super) fn contradicts(&self, transaction_id: &str) -> bool {
        let before = self.0.get(transaction_id);
        self.0.insert(transaction_id.to_owned(), true);
        before != Some(true)
    }

    /// Whether the record was confirmed within the last minute.
    pub(super) fn is_recent(&self, transaction_id: &str) -> bool {
        self.0.contains_key(transaction_id)
    }
}
