//! Rate limits per minute (GCRA).
//!
//! Keys are hashed with a secret seed into [`BUCKETS`] buckets, which bounds the memory. Keys in the
//! same bucket share a limit.

use std::hash::Hash;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::Clock;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};

use crate::clock::Instant;
use crate::random::SecretHasher;

/// A few megabytes at most. With a thousand concurrent keys, about two in a hundred share a bucket.
const BUCKETS: u64 = 1 << 16;

/// The limit is exceeded. The time to wait.
pub(crate) struct Exceeded(pub(crate) Duration);

/// How often something may happen per key.
pub(crate) struct RateLimit {
    hasher: SecretHasher,
    /// `None` means no limit.
    limiter: Option<RateLimiter<u64, DefaultKeyedStateStore<u64>, Monotonic>>,
}

/// The clock of the proxy, for the library.
#[derive(Clone)]
struct Monotonic;

impl Clock for Monotonic {
    type Instant = std::time::Instant;

    fn now(&self) -> Self::Instant {
        Instant::now().into_std()
    }
}

impl RateLimit {
    /// A limit of so many times per minute; 0 means no limit.
    pub(crate) fn per_minute(times: u32) -> Self {
        let quota = NonZeroU32::new(times).map(Quota::per_minute);
        Self {
            hasher: SecretHasher::new(),
            limiter: quota
                .map(|quota| RateLimiter::new(quota, DefaultKeyedStateStore::default(), Monotonic)),
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
        let spent = limiter.check_key(&(self.hasher.hash(key) % BUCKETS));
        spent.map_err(|refused| Exceeded(refused.wait_time_from(Monotonic.now())))
    }
}
