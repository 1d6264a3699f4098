//! Waits for another request that works on the same attempt.

use std::time::{Duration, Instant};

use tokio::sync::broadcast::Receiver;

use crate::error::Error;
use crate::store::lease::Term;

/// The wait of one request. It lasts at most as long as a lease.
pub(super) struct Wait {
    until: Instant,
    pause: Duration,
    /// The attempts whose work has ended in this instance, so that the store is not polled often.
    ended: Receiver<String>,
}

impl Wait {
    /// The longest delay until a write of another instance is noticed.
    const MAX_PAUSE: Duration = Duration::from_millis(500);

    pub(super) fn new(term: Term, ended: Receiver<String>) -> Self {
        Self {
            until: Instant::now() + term.length(),
            pause: Duration::from_millis(20),
            ended,
        }
    }

    /// Waits until the attempt may have changed.
    pub(super) async fn for_change(&mut self, id: &str) -> Result<(), Error> {
        if Instant::now() > self.until {
            return Err(Error::AttemptInProgress);
        }
        let ended = async {
            while let Ok(ended) = self.ended.recv().await
                && ended != id
            {}
        };
        // Check again after either of them.
        _ = tokio::time::timeout(self.pause, ended).await;
        self.pause = (self.pause * 2).min(Self::MAX_PAUSE);
        Ok(())
    }
}
