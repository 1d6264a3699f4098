//! Waiting for a condition.

use std::fmt::Display;
use std::time::Duration;

use thirtyfour::error::{WebDriverError, WebDriverResult};
use tokio::time::{Instant, sleep};

/// Long enough for a busy machine, and for a shop that asks for the form again after a minute.
const TIMEOUT: Duration = Duration::from_mins(2);

/// The time between two probes: at first, and after [`SOON`]. Each probe takes processor time of the browser and its driver.
const INTERVAL: Duration = Duration::from_millis(25);
const LATER_INTERVAL: Duration = Duration::from_millis(100);
const SOON: Duration = Duration::from_millis(200);

/// Polls until there is a value.
pub(crate) async fn until<T>(
    what: impl Display,
    probe: impl AsyncFn() -> WebDriverResult<Option<T>>,
) -> T {
    poll(probe).await.unwrap_or_else(|error| {
        panic!("timed out waiting for {what}; the browser's last error: {error:?}")
    })
}

/// Like [`until`], but returns the browser's last error after a timeout. Errors before that count as no value, because
/// elements come and go while a page changes.
pub(super) async fn poll<T>(
    probe: impl AsyncFn() -> WebDriverResult<Option<T>>,
) -> Result<T, Option<WebDriverError>> {
    let begun = Instant::now();
    loop {
        let error = match probe().await {
            Ok(Some(value)) => return Ok(value),
            Ok(None) => None,
            Err(error) => Some(error),
        };
        let waited = begun.elapsed();
        if waited >= TIMEOUT {
            return Err(error);
        }
        let interval = if waited < SOON {
            INTERVAL
        } else {
            LATER_INTERVAL
        };
        sleep(interval).await;
    }
}
