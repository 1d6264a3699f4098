//! Waits for another request that works on the same attempt.

use std::array;
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::error::Error;
use crate::store::lease::Term;

/// Far more than the number of attempts that are waited for at the same time.
const SLOTS: usize = 256;

/// Wakes the requests of this instance that wait for an attempt, so that they don't have to poll
/// the store often. Attempts share slots; a shared slot causes harmless extra wake-ups.
pub(super) struct Notifier([Notify; SLOTS]);

impl Default for Notifier {
    fn default() -> Self {
        Self(array::from_fn(|_| Notify::new()))
    }
}

impl Notifier {
    /// Wakes the requests that wait for this attempt.
    pub(super) fn notify(&self, id: &str) {
        if let Some(notifier) = self.of(id) {
            notifier.notify_waiters();
        }
    }

    fn of(&self, id: &str) -> Option<&Notify> {
        let sum = id.bytes().fold(0_usize, |sum, byte| {
            sum.wrapping_mul(31).wrapping_add(byte.into())
        });
        self.0.get(sum % SLOTS)
    }
}

/// The wait of one request. It lasts at most as long as a lease.
pub(super) struct Wait<'a> {
    until: Instant,
    pause: Duration,
    notifier: &'a Notifier,
}

impl<'a> Wait<'a> {
    /// The longest delay until a write of another instance is noticed.
    const MAX_PAUSE: Duration = Duration::from_millis(500);

    pub(super) fn new(term: Term, notifier: &'a Notifier) -> Self {
        Self {
            until: Instant::now() + term.length(),
            pause: Duration::from_millis(20),
            notifier,
        }
    }

    /// Waits until the attempt may have changed.
    pub(super) async fn for_change(&mut self, id: &str) -> Result<(), Error> {
        if Instant::now() > self.until {
            return Err(Error::AttemptInProgress);
        }
        match self.notifier.of(id) {
            // Check again after either of them.
            Some(notifier) => _ = tokio::time::timeout(self.pause, notifier.notified()).await,
            None => tokio::time::sleep(self.pause).await,
        }
        self.pause = (self.pause * 2).min(Self::MAX_PAUSE);
        Ok(())
    }
}
