//! What time it is, for all instances: on the database's clock.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A point in time: milliseconds since 1970 on the database's clock.
pub(crate) type Millis = i64;

/// What the database's clock said, and when on this machine's clock it was asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    pub(crate) now: Millis,
    /// Before the question, so that what is reckoned from here is over no later than there.
    pub(crate) asked: Instant,
}

impl Clock {
    /// SQLite's clock, which is the machine's.
    pub(super) fn local() -> Self {
        let asked = Instant::now();
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = millis(now.unwrap_or_default());
        Self { now, asked }
    }

    /// When that is on this machine's clock.
    pub(crate) fn instant(self, then: Millis) -> Instant {
        let ahead = u64::try_from(then.saturating_sub(self.now)).unwrap_or(0);
        self.asked + Duration::from_millis(ahead)
    }

    pub(crate) fn before(self, duration: Duration) -> Millis {
        self.now.saturating_sub(millis(duration))
    }

    pub(crate) fn after(self, duration: Duration) -> Millis {
        self.now.saturating_add(millis(duration))
    }
}

pub(crate) fn millis(duration: Duration) -> Millis {
    Millis::try_from(duration.as_millis()).unwrap_or(Millis::MAX)
}
