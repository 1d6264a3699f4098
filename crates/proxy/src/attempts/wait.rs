//! Waiting for whoever is at work on an attempt.

use std::array;
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::error::Error;
use crate::ledger::Terms;

/// Far more than attempts that are waited for at the same time.
const BELLS: usize = 256;

/// Wakes those who wait in this instance, so that they need not ask the ledger all the time. Attempts
/// that share a bell wake each other's for nothing.
pub(super) struct Bell([Notify; BELLS]);

impl Default for Bell {
    fn default() -> Self {
        Self(array::from_fn(|_| Notify::new()))
    }
}

impl Bell {
    /// Something was written of this attempt.
    pub(super) fn ring(&self, id: &str) {
        if let Some(bell) = self.of(id) {
            bell.notify_waiters();
        }
    }

    fn of(&self, id: &str) -> Option<&Notify> {
        let sum = id.bytes().fold(0_usize, |sum, byte| {
            sum.wrapping_mul(31).wrapping_add(byte.into())
        });
        self.0.get(sum % BELLS)
    }
}

/// The wait of one request, which a whole lease bounds.
pub(super) struct Wait<'a> {
    until: Instant,
    pause: Duration,
    bell: &'a Bell,
}

impl<'a> Wait<'a> {
    /// How long it takes at most to see what another instance wrote.
    const LONGEST: Duration = Duration::from_millis(500);

    pub(super) fn new(terms: Terms, bell: &'a Bell) -> Self {
        Self {
            until: Instant::now() + terms.lease(),
            pause: Duration::from_millis(20),
            bell,
        }
    }

    /// A moment, until something may have been written of this attempt.
    pub(super) async fn a_moment(&mut self, id: &str) -> Result<(), Error> {
        if Instant::now() > self.until {
            return Err(Error::AttemptInProgress);
        }
        match self.bell.of(id) {
            // Either of them is a reason to look.
            Some(bell) => _ = tokio::time::timeout(self.pause, bell.notified()).await,
            None => tokio::time::sleep(self.pause).await,
        }
        self.pause = (self.pause * 2).min(Self::LONGEST);
        Ok(())
    }
}
