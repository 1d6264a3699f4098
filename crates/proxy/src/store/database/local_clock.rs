//! The clock of a SQLite database.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::clock::{self, Clock, Instant, Millis, millis};

/// This machine's clock, except that it never runs backwards. If the
/// machine's clock is set back, time continues from the latest time in the database or of this
/// clock. Clones show the same time.
#[derive(Clone, Debug)]
pub(crate) struct LocalClock {
    opened_at: Instant,
    /// The time at `opened_at`, by the latest time that the machine's clock has shown.
    start: Arc<AtomicI64>,
}

impl LocalClock {
    /// A clock that is not behind `latest`, the latest time in the database.
    pub(super) fn starting_from(latest: Millis) -> Self {
        Self {
            opened_at: Instant::now(),
            start: Arc::new(latest.max(since_1970(clock::wall())).into()),
        }
    }

    pub(super) fn now(&self, lag: Millis) -> Clock {
        let (read_at, wall) = (Instant::now(), clock::wall());
        let now = self.at(wall);
        Clock {
            now,
            lag,
            read_at,
            wall,
        }
    }

    /// The time when the machine's clock shows `wall`. That one also counts the time in which the
    /// machine is suspended.
    fn at(&self, wall: SystemTime) -> Millis {
        let elapsed = millis(self.opened_at.elapsed());
        let start = since_1970(wall).saturating_sub(elapsed);
        let start = self.start.fetch_max(start, Ordering::SeqCst).max(start);
        start.saturating_add(elapsed)
    }
}

fn since_1970(wall: SystemTime) -> Millis {
    millis(wall.duration_since(UNIX_EPOCH).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_clock_never_runs_backwards() {
        let ahead = since_1970(clock::wall()) + 30 * 60_000;
        let clock = LocalClock::starting_from(ahead);
        let first = clock.now(0).now;
        assert!((ahead..ahead + 60_000).contains(&first));
        assert!(clock.now(0).now >= first);
        // A database from earlier does not hold the clock back.
        let clock = LocalClock::starting_from(0);
        assert!(clock.now(0).now >= ahead - 31 * 60_000);
    }

    #[test]
    fn the_clock_continues_if_the_machines_is_set_back() {
        let clock = LocalClock::starting_from(0);
        let wall = clock::wall();
        let later = wall + Duration::from_hours(1);
        let ahead = clock.at(later);
        assert!(ahead >= since_1970(later));
        assert!(clock.clone().at(wall) >= ahead);
        assert!(clock.now(0).now >= ahead);
    }
}
