//! Time: all instances use the database's clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::Deadline;

/// A point in time: milliseconds since 1970 on the database's clock.
pub(crate) type Millis = i64;

/// A reading of the database's clock, and the local time at which it was taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    pub(crate) now: Millis,
    /// Taken before the database was asked, so that a deadline computed from it is never later than
    /// on the database's clock.
    pub(crate) read_at: Instant,
    /// The wall clock of this machine at the same time.
    pub(super) wall: SystemTime,
}

impl Clock {
    /// Converts a time of the database's clock to the local clock.
    pub(crate) fn instant(self, then: Millis) -> Instant {
        let ahead = u64::try_from(then.saturating_sub(self.now)).unwrap_or(0);
        self.read_at + Duration::from_millis(ahead)
    }

    /// A time limit on the clocks of this machine.
    pub(crate) fn deadline(self, after: Duration) -> Deadline {
        Deadline::new(self.read_at, self.wall, after)
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

/// The clock of a SQLite database: this machine's, except that it never runs backwards. If the
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
            start: Arc::new(latest.max(since_1970(SystemTime::now())).into()),
        }
    }

    pub(super) fn now(&self) -> Clock {
        let (read_at, wall) = (Instant::now(), SystemTime::now());
        let now = self.at(wall);
        Clock { now, read_at, wall }
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
    use super::*;

    #[test]
    fn the_clock_never_runs_backwards() {
        let ahead = since_1970(SystemTime::now()) + 30 * 60_000;
        let clock = LocalClock::starting_from(ahead);
        let first = clock.now().now;
        assert!((ahead..ahead + 60_000).contains(&first));
        assert!(clock.now().now >= first);
        // A database from earlier does not hold the clock back.
        let clock = LocalClock::starting_from(0);
        assert!(clock.now().now >= ahead - 31 * 60_000);
    }

    #[test]
    fn the_clock_continues_if_the_machines_is_set_back() {
        let clock = LocalClock::starting_from(0);
        let wall = SystemTime::now();
        let later = wall + Duration::from_hours(1);
        let ahead = clock.at(later);
        assert!(ahead >= since_1970(later));
        assert!(clock.clone().at(wall) >= ahead);
        assert!(clock.now().now >= ahead);
    }
}
