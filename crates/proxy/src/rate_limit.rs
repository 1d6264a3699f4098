//! Rate limits per minute (GCRA).
//!
//! Keys are hashed with a secret seed into [`BUCKETS`] buckets, which bounds the memory. Keys in the
//! same bucket share a limit.

use std::hash::{BuildHasher as _, Hash, RandomState};
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::error::Error;

/// A few megabytes at most. With a thousand concurrent keys, about two in a hundred share a bucket.
const BUCKETS: u64 = 1 << 16;

/// The limit is exceeded. The time to wait.
pub(crate) struct Exceeded(pub(crate) Duration);

impl From<Exceeded> for Error {
    fn from(Exceeded(wait): Exceeded) -> Self {
        Self::TooManyRequests(wait)
    }
}

/// How often something may happen per key.
pub(crate) struct RateLimit {
    seed: RandomState,
    /// `None` means no limit.
    limiter: Option<DefaultKeyedRateLimiter<u64>>,
}

impl RateLimit {
    /// A limit of so many times per minute; 0 means no limit.
    pub(crate) fn per_minute(times: u32) -> Self {
        let quota = NonZeroU32::new(times).map(Quota::per_minute);
        Self {
            seed: RandomState::new(),
            limiter: quota.map(RateLimiter::keyed),
        }
    }

    /// Counts one time.
    ///
    /// # Errors
    /// Over the limit.
    pub(crate) fn spend(&self, key: impl Hash) -> Result<(), Exceeded> {
        let Some(limiter) = &self.limiter else {
            return Ok(());
        };
        let spent = limiter.check_key(&(self.seed.hash_one(key) % BUCKETS));
        spent.map_err(|refused| Exceeded(refused.wait_time_from(DefaultClock::default().now())))
    }
}
