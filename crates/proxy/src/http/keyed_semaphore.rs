//! A semaphore for each key, such as the address of a client.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use parking_lot::Mutex;

/// Bounds how many permits each key holds. A key without permits takes no memory.
pub(crate) struct KeyedSemaphore<K> {
    /// Permits per key; 0 means no limit.
    limit: usize,
    held: Mutex<HashMap<K, usize>>,
}

/// Dropping it releases the permit.
pub(crate) struct KeyedPermit<K: Eq + Hash> {
    semaphore: Arc<KeyedSemaphore<K>>,
    key: K,
}

impl<K: Eq + Hash + Clone> KeyedSemaphore<K> {
    pub(crate) fn new(limit: usize) -> Arc<Self> {
        let held = Mutex::default();
        Arc::new(Self { limit, held })
    }

    /// Takes a permit; `None` if the key holds all of its permits.
    pub(crate) fn try_acquire(self: &Arc<Self>, key: K) -> Option<KeyedPermit<K>> {
        let mut held = self.held.lock();
        let count = held.entry(key.clone()).or_default();
        if self.limit != 0 && *count >= self.limit {
            return None;
        }
        *count += 1;
        let semaphore = Arc::clone(self);
        Some(KeyedPermit { semaphore, key })
    }
}

impl<K: Eq + Hash> Drop for KeyedPermit<K> {
    fn drop(&mut self) {
        let mut held = self.semaphore.held.lock();
        if let Some(count) = held.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_own_permits() {
        let semaphore = KeyedSemaphore::new(2);
        let first = semaphore.try_acquire("a").unwrap();
        let _second = semaphore.try_acquire("a").unwrap();
        assert!(semaphore.try_acquire("a").is_none());
        let other = semaphore.try_acquire("b").unwrap();
        drop(first);
        assert!(semaphore.try_acquire("a").is_some());
        drop(other);
        assert_eq!(semaphore.held.lock().len(), 1);
    }
}
