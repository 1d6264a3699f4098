//! Waiting for a condition.

use std::fmt::Display;
use std::time::Duration;

use thirtyfour::error::{WebDriverError, WebDriverResult};
use tokio::time::{Instant, sleep};

/// Long enough for a busy machine; more than a minute would only delay failures.
const PATIENCE: Duration = Duration::from_mins(1);
const PAUSE: Duration = Duration::from_millis(25);

/// Polls until there is a value.
pub(crate) async fn until<T>(
    what: impl Display,
    look: impl AsyncFn() -> WebDriverResult<Option<T>>,
) -> T {
    seen(look).await.unwrap_or_else(|error| {
        panic!("waited in vain for {what}; the browser's last error: {error:?}")
    })
}

/// Like [`until`], with a function that describes the failure. Browser errors count as no value, because elements come
/// and go while a page changes; the last error is passed to the function.
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
