//! Waiting for something to be so.

use std::fmt::Display;
use std::time::Duration;

use thirtyfour::error::WebDriverResult;
use tokio::time::{Instant, sleep};

/// More than a minute of patience helps nobody; less would fail on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);
const PAUSE: Duration = Duration::from_millis(25);

/// Looks until there is something to see. An error of the browser counts as nothing yet: elements
/// come and go while a page changes. The last one is told where the patience ends.
pub(crate) async fn until<T>(
    what: impl Display,
    look: impl AsyncFn() -> WebDriverResult<Option<T>>,
) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let seen = look().await;
        if let Ok(Some(seen)) = seen {
            return seen;
        }
        assert!(
            Instant::now() < deadline,
            "waited in vain for {what}; the browser's last error: {:?}",
            seen.err()
        );
        sleep(PAUSE).await;
    }
}
