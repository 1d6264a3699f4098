//! Time: this machine's clocks, readings of the database's clock, time limits, and times as text.
//!
//! The rest of the proxy reads no clock by itself, so that a simulation can set all of them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
pub(crate) use tokio::time::Instant;

use crate::random;

/// A point in time: milliseconds since 1970 on the database's clock.
pub(crate) type Millis = i64;

pub(crate) const DAY: Duration = Duration::from_hours(24);

/// The wall clock of this machine.
pub(crate) fn wall() -> SystemTime {
    #[cfg(test)]
    if let Some(wall) = crate::simulation::doors::wall() {
        return wall;
    }
    SystemTime::now()
}

/// The time since 1970 on that clock.
pub(crate) fn since_1970() -> Duration {
    wall().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// A reading of the database's clock, and the local times at which it was taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    pub(crate) now: Millis,
    /// How far the ages of what is stored are behind: they don't count the time in which the proxy did not run.
    pub(crate) lag: Millis,
    /// Taken before the database was asked, so that a deadline computed from it is never later than
    /// on the database's clock.
    pub(crate) read_at: Instant,
    /// The wall clock of this machine at the same time.
    pub(crate) wall: SystemTime,
}

impl Clock {
    /// Time from now until then; zero if it has passed.
    pub(crate) fn until(self, then: Millis) -> Duration {
        Duration::from_millis(u64::try_from(then.saturating_sub(self.now)).unwrap_or(0))
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

    /// Now, as ages are counted.
    pub(crate) fn age(self) -> Millis {
        self.now.saturating_sub(self.lag)
    }

    /// The age until which something is kept from now on.
    pub(crate) fn kept_for(self, duration: Duration) -> Millis {
        self.age().saturating_add(millis(duration))
    }
}

/// Whole days.
pub(crate) fn days(duration: Duration) -> u64 {
    duration.as_secs() / DAY.as_secs()
}

pub(crate) fn millis(duration: Duration) -> Millis {
    Millis::try_from(duration.as_millis()).unwrap_or(Millis::MAX)
}

/// A random duration up to `most`, so that instances and clients don't act at the same moment.
pub(crate) fn jitter(most: Duration) -> Duration {
    let mut bytes = [0; 2];
    // Random numbers are available on every platform; otherwise there is no jitter.
    let _ = random::fill(&mut bytes);
    most * u32::from(u16::from_le_bytes(bytes)) / u32::from(u16::MAX)
}

/// A time limit on both clocks of this machine: the monotonic clock may stand still while the machine
/// is suspended, and the wall clock may be set back. It has passed when one of them says so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    monotonic: Instant,
    wall: SystemTime,
}

impl Deadline {
    /// `after` a moment at which the clocks were read.
    pub(crate) fn new(monotonic: Instant, wall: SystemTime, after: Duration) -> Self {
        Self {
            monotonic: monotonic + after,
            wall: wall + after,
        }
    }

    pub(crate) fn has_passed(self) -> bool {
        Instant::now() > self.monotonic || wall() > self.wall
    }
}

/// Formats a time in milliseconds since 1970 as RFC 3339, in UTC.
pub(crate) fn rfc3339(millis: i64) -> String {
    let limit = if millis < 0 {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    };
    let time = Timestamp::from_millisecond(millis);
    time.unwrap_or(limit).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_formatted_in_utc() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (1_795_283_556_101, "2026-11-21T17:52:36.101Z"),
            (i64::MAX, "9999-12-30T22:00:00.999999999Z"),
        ] {
            assert_eq!(rfc3339(millis), text);
        }
    }
}
