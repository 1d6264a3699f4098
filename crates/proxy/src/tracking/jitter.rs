//! Random jitter, so that instances and clients don't act at the same moment.

use std::time::Duration;

use aws_lc_rs::rand;

/// A random duration up to `most`.
pub(crate) fn jitter(most: Duration) -> Duration {
    let mut bytes = [0; 2];
    // Random numbers are available on every platform; otherwise there is no jitter.
    let _ = rand::fill(&mut bytes);
    most * u32::from(u16::from_le_bytes(bytes)) / u32::from(u16::MAX)
}
