//! Notes that count for a limited time.

use std::time::Duration;

use moka::sync::Cache;

use crate::clock::Instant;

/// What was noted of a key within a time.
#[derive(Clone)]
pub(crate) struct Recent<V: Clone + Send + Sync + 'static> {
    /// The library removes notes by a clock of its own, but not too early.
    notes: Cache<String, (Instant, V)>,
    valid: Duration,
}

pub(crate) struct Noted<V> {
    pub(crate) value: V,
    /// How long it counts from now on.
    pub(crate) left: Duration,
}

impl<V: Clone + Send + Sync + 'static> Recent<V> {
    pub(crate) fn new(valid: Duration) -> Self {
        Self {
            notes: Cache::builder().time_to_live(valid).build(),
            valid,
        }
    }

    pub(crate) fn get(&self, key: &str) -> Option<Noted<V>> {
        let (at, value) = self.notes.get(key)?;
        let left = self.valid.saturating_sub(at.elapsed());
        (!left.is_zero()).then_some(Noted { value, left })
    }

    pub(crate) fn insert(&self, key: &str, value: V) {
        self.notes.insert(key.to_owned(), (Instant::now(), value));
    }
}
