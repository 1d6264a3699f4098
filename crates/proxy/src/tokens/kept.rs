//! The listing that was fetched last. Who reads it waits for nobody who fetches.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use axum::body::Bytes;
use tokio::time::Instant;

use super::Listing;

#[derive(Default)]
pub(super) struct Kept(RwLock<Option<Last>>);

struct Last {
    fetched: Instant,
    listing: Arc<Listing>,
    /// Whether it is as short as it gets, or will be.
    is_shortened: bool,
}

impl Kept {
    /// The listing, if it was fetched no longer ago than this.
    pub(super) fn of_the_last(&self, duration: Duration) -> Option<Arc<Listing>> {
        let kept = self.read();
        let last = kept.as_ref()?;
        (last.fetched.elapsed() < duration).then(|| Arc::clone(&last.listing))
    }

    /// The listing, however old, if this is its text.
    pub(super) fn of(&self, plain: &Bytes) -> Option<Arc<Listing>> {
        let kept = self.read();
        let last = kept.as_ref()?;
        (last.listing.plain() == plain).then(|| Arc::clone(&last.listing))
    }

    /// Keeps what was fetched. If it says the same as the one before, that one stays, however well it is compressed by now.
    pub(super) fn keep(&self, fetched: Instant, listing: &Arc<Listing>) {
        let mut kept = self.write();
        match &mut *kept {
            Some(last) if last.listing.plain() == listing.plain() => last.fetched = fetched,
            _ => {
                *kept = Some(Last {
                    fetched,
                    listing: Arc::clone(listing),
                    is_shortened: false,
                });
            }
        }
    }

    /// Whether this listing is kept and nobody has begun to shorten it: from now on somebody has.
    pub(super) fn begins_to_shorten(&self, listing: &Arc<Listing>) -> bool {
        match &mut *self.write() {
            Some(last) if Arc::ptr_eq(&last.listing, listing) => {
                !std::mem::replace(&mut last.is_shortened, true)
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

    fn read(&self) -> RwLockReadGuard<'_, Option<Last>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Option<Last>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}
