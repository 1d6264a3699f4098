//! Waits that are not everyone's.

use std::time::Duration;

use aws_lc_rs::rand;

/// Some time up to that.
pub(super) fn jitter(most: Duration) -> Duration {
    let mut bytes = [0; 2];
    // Without randomness, which no platform lacks, it is none.
    let _ = rand::fill(&mut bytes);
    most * u32::from(u16::from_le_bytes(bytes)) / u32::from(u16::MAX)
}
