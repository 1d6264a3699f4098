//! A time limit that also holds if the machine is suspended.

use std::time::{Duration, Instant, SystemTime};

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
        Instant::now() > self.monotonic || SystemTime::now() > self.wall
    }
}
