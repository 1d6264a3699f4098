//! The listing that was fetched last. Who reads it waits for nobody who fetches.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use axum::body::Bytes;
use tokio::time::Instant;

use super::Listing;

/// When it was fetched, and what came.
type Fetched = Option<(Instant, Arc<Listing>)>;

#[derive(Default)]
pub(super) struct Kept(RwLock<Fetched>);

impl Kept {
    /// The listing, if it was fetched no longer ago than this.
    pub(super) fn of_the_last(&self, duration: Duration) -> Option<Arc<Listing>> {
        let kept = self.read();
        let (fetched, listing) = kept.as_ref()?;
        (fetched.elapsed() < duration).then(|| Arc::clone(listing))
    }

    /// The listing, however old, if this is its text.
    pub(super) fn of(&self, plain: &Bytes) -> Option<Arc<Listing>> {
        let kept = self.read();
        let (_, listing) = kept.as_ref()?;
        (listing.plain() == plain).then(|| Arc::clone(listing))
    }

    /// Keeps what was fetched; whether that is another listing than the one before.
    pub(super) fn keep(&self, fetched: Instant, listing: &Arc<Listing>) -> bool {
        let before = self.write().replace((fetched, Arc::clone(listing)));
        before.is_none_or(|(_, before)| !Arc::ptr_eq(&before, listing))
    }

    /// Puts the same listing, better compressed, in the place of this one, where that is kept still.
    pub(super) fn replace(&self, listing: &Arc<Listing>, better: Listing) {
        if let Some((_, kept)) = &mut *self.write()
            && Arc::ptr_eq(kept, listing)
        {
            *kept = Arc::new(better);
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Fetched> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Fetched> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}
