//! Parses numbers and times.

use std::str::FromStr;
use std::time::Duration;

/// A whole number, 0 or more. `T` is an unsigned type.
pub(super) fn number<T: FromStr>(text: &str) -> Result<T, &'static str> {
    text.parse().map_err(|_| "write a whole number, 0 or more")
}

/// A whole number, 1 or more.
pub(super) fn positive<T: FromStr + Default + PartialEq>(text: &str) -> Result<T, &'static str> {
    let number = text.parse().ok().filter(|number| *number != T::default());
    number.ok_or("write a whole number, 1 or more")
}

/// Whole seconds, 0 or more. The limit of 136 years keeps sums of times from overflowing.
pub(super) fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse::<u32>();
    seconds
        .map(|seconds| Duration::from_secs(seconds.into()))
        .map_err(|_| "write whole seconds, 0 or more")
}

/// Whole hours, up to 30 days: the time for which payments are stored.
pub(super) fn hours(text: &str) -> Result<Duration, &'static str> {
    let hours = text.parse::<u64>().ok().filter(|hours| *hours <= 30 * 24);
    hours
        .map(Duration::from_hours)
        .ok_or("write whole hours, 0 to 720")
}

/// Whole days, 0 or more. The limit of 179 years keeps sums of times from overflowing.
pub(super) fn days(text: &str) -> Result<Duration, &'static str> {
    let days = text.parse::<u16>();
    days.map(|days| Duration::from_hours(u64::from(days) * 24))
        .map_err(|_| "write whole days, 0 or more")
}

/// Whole seconds, 1 or more.
pub(super) fn positive_seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds = seconds(text).ok().filter(|seconds| !seconds.is_zero());
    seconds.ok_or("write whole seconds, 1 or more")
}
