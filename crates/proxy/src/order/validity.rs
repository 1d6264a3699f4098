//! When an order or a receipt is valid: `exp`, `nbf` and `iat` (RFC 7519, section 4.1), each since 1970. They are compared with
//! the proxy's clock instead of the library's, and what is wrong with them is said in words.

use std::time::Duration;

use jsonwebtoken::Validation;
use serde_json::{Map, Value};

use super::{LEEWAY, OrderError};
use crate::clock::{DAY, millis, rfc3339};

/// As seconds, this is in the year 5138. As milliseconds, it is in 1973.
const LOOKS_LIKE_MILLISECONDS: Duration = Duration::from_secs(100_000_000_000);

pub(crate) struct Validity {
    pub(super) exp: Duration,
    nbf: Option<Duration>,
    iat: Option<Duration>,
}

/// Leaves the times of a token to [`Validity`].
pub(crate) fn untimed(validation: Validation) -> Validation {
    Validation {
        validate_exp: false,
        validate_nbf: false,
        ..validation
    }
}

impl Validity {
    /// Reads the claims of a token.
    pub(crate) fn read(json: &str) -> Result<Self, OrderError> {
        let claims = serde_json::from_str(json);
        let claims: Map<String, Value> =
            claims.map_err(|error| OrderError::Claims(error.to_string()))?;
        let missing = || OrderError::Claims("`exp` is missing".to_owned());
        Ok(Self {
            exp: time(&claims, "exp")?.ok_or_else(missing)?,
            nbf: time(&claims, "nbf")?,
            // Nothing depends on it but a message.
            iat: time(&claims, "iat").ok().flatten(),
        })
    }

    /// Checks that an order can be paid `now`.
    pub(super) fn check_order(&self, now: Duration, max_days: u16) -> Result<(), OrderError> {
        let far = now.saturating_add(DAY * u32::from(max_days));
        if self.exp > far.saturating_add(LEEWAY) {
            return Err(OrderError::Claims(format!(
                "`exp` is {}, more than {max_days} days from now, and the proxy's clock says {}; sign with an earlier one, or \
                 raise the proxy's `order_max_days`",
                text(self.exp),
                text(now)
            )));
        }
        self.check(now, LEEWAY)
    }

    /// Checks that a token is valid `now`, by a clock that may differ by `leeway` from that of the issuer.
    pub(crate) fn check(&self, now: Duration, leeway: Duration) -> Result<(), OrderError> {
        if self.exp.saturating_add(leeway) < now {
            let exp = text(self.exp);
            return Err(OrderError::Expired(self.words("expired at", &exp, now)));
        }
        match self.nbf {
            Some(nbf) if nbf > now.saturating_add(leeway) => {
                let words = self.words("begins at", &text(nbf), now);
                Err(OrderError::NotYetValid(words))
            }
            _ => Ok(()),
        }
    }

    fn words(&self, what: &str, when: &str, now: Duration) -> String {
        let signed = self
            .iat
            .map(|iat| format!(", it was signed at {}", text(iat)));
        let signed = signed.unwrap_or_default();
        format!(
            "{what} {when}{signed}, and the proxy's clock says {}",
            text(now)
        )
    }
}

/// A time in seconds, possibly with a fraction (RFC 7519, section 2, `NumericDate`); `None` if it is missing.
fn time(claims: &Map<String, Value>, name: &str) -> Result<Option<Duration>, OrderError> {
    let invalid = |reason: &str| Err(OrderError::Claims(format!("`{name}` {reason}")));
    let seconds = match claims.get(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Number(number)) => number.as_f64().unwrap_or(f64::MAX),
        Some(Value::String(_)) => return invalid("is a text; write a number, without quotes"),
        Some(_) => return invalid("is not a number of seconds since 1970"),
    };
    // A negative one is in the past, and one beyond the range of `Duration` in the future.
    let time = Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX);
    if time > LOOKS_LIKE_MILLISECONDS {
        return invalid("is in seconds since 1970; this looks like milliseconds");
    }
    Ok(Some(time))
}

/// A time in words: RFC 3339, in UTC.
fn text(time: Duration) -> String {
    rfc3339(millis(Duration::from_secs(time.as_secs())))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::from_hours(500_000);

    /// The message about these times; empty if the order can be paid.
    fn message(json: &str) -> String {
        let checked = Validity::read(json).and_then(|times| times.check_order(NOW, 400));
        checked
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    }

    #[test]
    fn each_mistake_has_its_own_text() {
        const CLAIMS: &str = "The order's claims are not as documented: ";
        for (json, expected) in [
            (r#"{"exp":1800003600}"#, String::new()),
            (r#"{"exp":1800003600.5,"nbf":1799999999,"iat":1799999999}"#, String::new()),
            // The clocks may differ by 30 seconds.
            (r#"{"exp":1799999970,"nbf":1800000030}"#, String::new()),
            (r#"{"exp":1834560000,"iat":"today"}"#, String::new()),
            ("{}", format!("{CLAIMS}`exp` is missing.")),
            (r#"{"exp":null}"#, format!("{CLAIMS}`exp` is missing.")),
            (
                r#"{"exp":"1800003600"}"#,
                format!("{CLAIMS}`exp` is a text; write a number, without quotes."),
            ),
            (
                r#"{"exp":true}"#,
                format!("{CLAIMS}`exp` is not a number of seconds since 1970."),
            ),
            (
                r#"{"exp":1800003600,"nbf":"1800003600"}"#,
                format!("{CLAIMS}`nbf` is a text; write a number, without quotes."),
            ),
            (
                r#"{"exp":1800003600000}"#,
                format!("{CLAIMS}`exp` is in seconds since 1970; this looks like milliseconds."),
            ),
            (
                r#"{"exp":1e300}"#,
                format!("{CLAIMS}`exp` is in seconds since 1970; this looks like milliseconds."),
            ),
            (
                r#"{"exp":1800003600,"nbf":1800003600000}"#,
                format!("{CLAIMS}`nbf` is in seconds since 1970; this looks like milliseconds."),
            ),
            (
                r#"{"exp":1834560031}"#,
                format!(
                    "{CLAIMS}`exp` is 2028-02-19T08:00:31Z, more than 400 days from now, and the proxy's clock says \
                     2027-01-15T08:00:00Z; sign with an earlier one, or raise the proxy's `order_max_days`."
                ),
            ),
            (
                r#"{"exp":1799996400,"iat":1799992800}"#,
                "The order expired at 2027-01-15T07:00:00Z, it was signed at 2027-01-15T06:00:00Z, and the proxy's clock \
                 says 2027-01-15T08:00:00Z; reload the page to get a new one. If it is new, one of the clocks is wrong."
                    .to_owned(),
            ),
            (
                r#"{"exp":-1}"#,
                "The order expired at 1970-01-01T00:00:00Z, and the proxy's clock says 2027-01-15T08:00:00Z; reload the page \
                 to get a new one. If it is new, one of the clocks is wrong."
                    .to_owned(),
            ),
            (
                r#"{"exp":1800003600,"nbf":1800001800}"#,
                "The order is not valid yet: it begins at 2027-01-15T08:30:00Z, and the proxy's clock says \
                 2027-01-15T08:00:00Z; check the clocks."
                    .to_owned(),
            ),
        ] {
            assert_eq!(message(json), expected, "{json}");
        }
    }

    #[test]
    fn the_clocks_may_differ_by_the_leeway() {
        const MINUTE: Duration = Duration::from_mins(1);
        for (json, is_valid) in [
            (r#"{"exp":1799999940,"nbf":1800000060}"#, true),
            (r#"{"exp":1799999939}"#, false),
            (r#"{"exp":1800000000,"nbf":1800000061}"#, false),
            // No limit but that of an order.
            (r#"{"exp":99999999999}"#, true),
        ] {
            let times = Validity::read(json).unwrap();
            assert_eq!(times.check(NOW, MINUTE).is_ok(), is_valid, "{json}");
        }
    }
}
