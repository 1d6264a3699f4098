//! Searches that have not reached the end of the list. They are not repeated for a while, because each
//! one costs many calls: all requests for the order share the failure.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use crate::service::list::Unread;

/// How long a search is not repeated.
const PAUSE: Duration = Duration::from_mins(1);

/// The number of attempts from which on old entries are removed.
const MANY: usize = 1000;

/// The end of the last such search, by the id of its attempt.
#[derive(Default)]
pub(super) struct UnreadSearches(Mutex<HashMap<String, Instant>>);

impl UnreadSearches {
    /// Fails if the list could not be read to its end for this attempt a short time ago.
    pub(super) fn check(&self, attempt: &str) -> Result<(), Unread> {
        let searches = self.0.lock();
        let next = searches.get(attempt).map(|ended| *ended + PAUSE);
        let wait = next.map(|next| next.saturating_duration_since(Instant::now()));
        match wait {
            Some(wait) if !wait.is_zero() => Err(Unread::Recently(wait)),
            _ => Ok(()),
        }
    }

    /// Notes that the list could not be read to its end for this attempt.
    pub(super) fn add(&self, attempt: &str) {
        let mut searches = self.0.lock();
        if searches.len() >= MANY {
            searches.retain(|_, ended| ended.elapsed() < PAUSE);
        }
        searches.insert(attempt.to_owned(), Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_search_is_repeated_after_a_pause() {
        let searches = UnreadSearches::default();
        assert_eq!(searches.check("a"), Ok(()));
        searches.add("a");
        tokio::time::advance(PAUSE / 4).await;
        assert_eq!(searches.check("a"), Err(Unread::Recently(PAUSE / 4 * 3)));
        assert_eq!(searches.check("b"), Ok(()));
        tokio::time::advance(PAUSE).await;
        assert_eq!(searches.check("a"), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn old_entries_are_removed() {
        let searches = UnreadSearches::default();
        for number in 0..MANY {
            searches.add(&number.to_string());
        }
        tokio::time::advance(PAUSE).await;
        searches.add("last");
        assert_eq!(searches.0.lock().len(), 1);
    }
}
