//! Limits how often the service is asked to cancel the same payment.

use std::hash::{BuildHasher, RandomState};
use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::service::ServiceError;

/// Cancel requests per minute and payment. A buyer needs one, and a few more if the service fails.
const PER_MINUTE: NonZeroU32 = NonZeroU32::new(5).unwrap();

/// Payments are hashed into this many buckets, which bounds the memory. Payments in the same bucket
/// share a limit.
const BUCKETS: u64 = 1 << 16;

pub(super) struct CancelLimit {
    seed: RandomState,
    requests: DefaultKeyedRateLimiter<u64>,
}

impl CancelLimit {
    pub(super) fn new() -> Self {
        Self {
            seed: RandomState::new(),
            requests: RateLimiter::keyed(Quota::per_minute(PER_MINUTE)),
        }
    }

    /// Counts a request. Fails if it is one too many.
    pub(super) fn check(&self, transaction_id: &str) -> Result<(), ServiceError> {
        let bucket = self.seed.hash_one(transaction_id) % BUCKETS;
        let checked = self.requests.check_key(&bucket);
        checked.map_err(|refused| {
            let wait = refused.wait_time_from(DefaultClock::default().now());
            ServiceError::TooManyCancels(wait)
        })
    }
}
