//! The listing that was fetched last. Who reads it waits for nobody who fetches.

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
    /// Whether it is as short as it gets, or will be.
    is_recompressed: bool,
}

impl ListingCache {
    /// The listing, if it was fetched no longer ago than this.
    pub(super) fn fresh(&self, duration: Duration) -> Option<Arc<Listing>> {
        let cache = self.read();
        let last = cache.as_ref()?;
        (last.fetched.elapsed() < duration).then(|| Arc::clone(&last.listing))
    }

    /// The listing, however old, if this is its text.
    pub(super) fn with_text(&self, plain: &Bytes) -> Option<Arc<Listing>> {
        let cache = self.read();
        let last = cache.as_ref()?;
        (last.listing.plain() == plain).then(|| Arc::clone(&last.listing))
    }

    /// Keeps what was fetched. If it says the same as the one before, that one stays, however well it is compressed by now.
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

    /// Whether this listing is kept and nobody has begun to shorten it: from now on somebody has.
    pub(super) fn claim_recompression(&self, listing: &Arc<Listing>) -> bool {
        match &mut *self.write() {
            Some(last) if Arc::ptr_eq(&last.listing, listing) => {
                !std::mem::replace(&mut last.is_recompressed, true)
            }
            _ => false,
        }
    }

    /// Puts the same listing, better compressed, in the place of this one, where that is kept still.
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
