//! Formatting of times.

use jiff::Timestamp;

/// Formats a time in milliseconds since 1970 as RFC 3339, in UTC.
pub(crate) fn rfc3339(millis: i64) -> String {
    let limit = if millis < 0 {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    };
    let time = Timestamp::from_millisecond(millis);
    time.unwrap_or(limit).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_formatted_in_utc() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (1_795_283_556_101, "2026-11-21T17:52:36.101Z"),
            (i64::MAX, "9999-12-30T22:00:00.999999999Z"),
        ] {
            assert_eq!(rfc3339(millis), text);
        }
    }
}
