//! Waiting for whoever is at work on an attempt.

use std::array;
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::attempt_store::Timeouts;
use crate::error::Error;

/// Far more than attempts that are waited for at the same time.
const SLOTS: usize = 256;

/// Wakes those who wait in this instance, so that they need not ask the ledger all the time. Attempts
/// that share a bell wake each other's for nothing.
pub(super) struct Notifier([Notify; SLOTS]);

impl Default for Notifier {
    fn default() -> Self {
        Self(array::from_fn(|_| Notify::new()))
    }
}

impl Notifier {
    /// Something was written of this attempt.
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

/// The wait of one request, which a whole lease bounds.
pub(super) struct Wait<'a> {
    until: Instant,
    pause: Duration,
    notifier: &'a Notifier,
}

impl<'a> Wait<'a> {
    /// How long it takes at most to see what another instance wrote.
    const MAX_PAUSE: Duration = Duration::from_millis(500);

    pub(super) fn new(timeouts: Timeouts, notifier: &'a Notifier) -> Self {
        Self {
            until: Instant::now() + timeouts.lease(),
            pause: Duration::from_millis(20),
            notifier,
        }
    }

    /// A moment, until something may have been written of this attempt.
    pub(super) async fn for_change(&mut self, id: &str) -> Result<(), Error> {
        if Instant::now() > self.until {
            return Err(Error::AttemptInProgress);
        }
        match self.notifier.of(id) {
            // Either of them is a reason to look.
            Some(notifier) => _ = tokio::time::timeout(self.pause, notifier.notified()).await,
            None => tokio::time::sleep(self.pause).await,
        }
        self.pause = (self.pause * 2).min(Self::MAX_PAUSE);
        Ok(())
    }
}
