//! Waiting for something to be so.

use std::fmt::Display;
use std::time::Duration;

use thirtyfour::error::{WebDriverError, WebDriverResult};
use tokio::time::{Instant, sleep};

/// More than a minute of patience helps nobody; less would fail on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);
const PAUSE: Duration = Duration::from_millis(25);

/// Looks until there is something to see.
pub(crate) async fn until<T>(
    what: impl Display,
    look: impl AsyncFn() -> WebDriverResult<Option<T>>,
) -> T {
    seen(look).await.unwrap_or_else(|error| {
        panic!("waited in vain for {what}; the browser's last error: {error:?}")
    })
}

/// As [`until`], for those who have more to tell when the patience ends. An error of the browser
/// counts as nothing yet, since elements come and go while a page changes; the last one is handed
/// over.
pub(super) async fn seen<T>(
    look: impl AsyncFn() -> WebDriverResult<Option<T>>,
) -> Result<T, Option<WebDriverError>> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let error = match look().await {
            Ok(Some(seen)) => return Ok(seen),
            Ok(None) => None,
            Err(error) => Some(error),
        };
        if Instant::now() >= deadline {
            return Err(error);
        }
        sleep(PAUSE).await;
    }
}
