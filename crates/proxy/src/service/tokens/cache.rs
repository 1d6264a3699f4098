//! The cached listing. Readers never wait for a fetch.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use axum::body::Bytes;
use tokio::time::Instant;

use super::Listing;

#[derive(Default)]
pub(super) struct ListingCache(RwLock<Option<CachedListing>>);

struct CachedListing {
    fetched: Instant,
    listing: Arc<Listing>,
    /// Whether it has been compressed as well as possible, or is about to be.
    is_recompressed: bool,
}

impl ListingCache {
    /// The listing, if it was fetched within this time.
    pub(super) fn fresh(&self, duration: Duration) -> Option<Arc<Listing>> {
        let cache = self.read();
        let last = cache.as_ref()?;
        (last.fetched.elapsed() < duration).then(|| Arc::clone(&last.listing))
    }

    /// The listing of any age, if its text is the same.
    pub(super) fn with_text(&self, plain: &Bytes) -> Option<Arc<Listing>> {
        let cache = self.read();
        let last = cache.as_ref()?;
        (last.listing.plain() == plain).then(|| Arc::clone(&last.listing))
    }

    /// Stores a fetched listing. If the text has not changed, the stored listing stays, because it
    /// may be compressed better.
    pub(super) fn store(&self, fetched: Instant, listing: &Arc<Listing>) {
        let mut cache = self.write();
        match &mut *cache {
            Some(last) if last.listing.plain() == listing.plain() => last.fetched = fetched,
            _ => {
                *cache = Some(CachedListing {
                    fetched,
                    listing: Arc::clone(listing),
                    is_recompressed: false,
                });
            }
        }
    }

    /// Claims the recompression of a cached listing. Returns false if another task has claimed it.
    pub(super) fn claim_recompression(&self, listing: &Arc<Listing>) -> bool {
        match &mut *self.write() {
            Some(last) if Arc::ptr_eq(&last.listing, listing) => {
                !std::mem::replace(&mut last.is_recompressed, true)
            }
            _ => false,
        }
    }

    /// Replaces a listing by a better compressed copy, if it is still cached.
    pub(super) fn replace(&self, listing: &Arc<Listing>, better: Listing) {
        match &mut *self.write() {
            Some(last) if Arc::ptr_eq(&last.listing, listing) => last.listing = Arc::new(better),
            _ => {}
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Option<CachedListing>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Option<CachedListing>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}
