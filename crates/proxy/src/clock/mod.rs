//! Time: readings of the database's clock, and time limits on this machine's clocks.

mod deadline;
pub(crate) mod timestamp;

use std::time::{Duration, Instant, SystemTime};

use aws_lc_rs::rand;

pub(crate) use self::deadline::Deadline;

/// A point in time: milliseconds since 1970 on the database's clock.
pub(crate) type Millis = i64;

/// A reading of the database's clock, and the local times at which it was taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    pub(crate) now: Millis,
    /// Taken before the database was asked, so that a deadline computed from it is never later than
    /// on the database's clock.
    pub(crate) read_at: Instant,
    /// The wall clock of this machine at the same time.
    pub(crate) wall: SystemTime,
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

/// A random duration up to `most`, so that instances and clients don't act at the same moment.
pub(crate) fn jitter(most: Duration) -> Duration {
    let mut bytes = [0; 2];
    // Random numbers are available on every platform; otherwise there is no jitter.
    let _ = rand::fill(&mut bytes);
    most * u32::from(u16::from_le_bytes(bytes)) / u32::from(u16::MAX)
}
