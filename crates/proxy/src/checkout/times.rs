//! The times in a JWT (RFC 7519, section 4.1), checked by the proxy's clock instead of the library's.

use std::time::Duration;

use jsonwebtoken::Validation;
use serde::Deserialize;
use serde_json::Value;

use crate::clock::since_1970;

/// `exp` and `nbf`.
#[derive(Deserialize)]
pub(super) struct Times {
    exp: Value,
    #[serde(default)]
    nbf: Value,
}

/// Why a token is not valid now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Untimely {
    Expired,
    TooEarly,
    /// `nbf` is not a time.
    Odd,
}

/// Leaves the times of a token to [`Times::check`]. `exp` is still required.
pub(super) fn untimed(validation: Validation) -> Validation {
    Validation {
        validate_exp: false,
        validate_nbf: false,
        ..validation
    }
}

impl Times {
    /// Compares the times with the clock, which may differ by `leeway` from that of the issuer.
    pub(super) fn check(&self, leeway: Duration) -> Result<(), Untimely> {
        let (now, leeway) = (since_1970().as_secs(), leeway.as_secs());
        if seconds(&self.exp).is_some_and(|exp| exp < now.saturating_sub(leeway)) {
            return Err(Untimely::Expired);
        }
        match seconds(&self.nbf) {
            None if !self.nbf.is_null() => Err(Untimely::Odd),
            Some(nbf) if nbf > now.saturating_add(leeway) => Err(Untimely::TooEarly),
            _ => Ok(()),
        }
    }
}

/// Whole seconds since 1970, of a number that may have a fraction.
fn seconds(time: &Value) -> Option<u64> {
    let fraction = || Duration::try_from_secs_f64(time.as_f64()?.round()).ok();
    time.as_u64().or_else(|| Some(fraction()?.as_secs()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_token_is_valid_between_its_times() {
        let leeway = Duration::from_secs(30);
        let now = since_1970().as_secs();
        for (exp, nbf, checked) in [
            (json!(now + 60), Value::Null, Ok(())),
            (json!(u64::MAX), json!(0), Ok(())),
            (json!(1e19), json!(1.5), Ok(())),
            (json!(now - 20), json!(now + 20), Ok(())),
            (json!(now - 60), Value::Null, Err(Untimely::Expired)),
            (json!(0.4), Value::Null, Err(Untimely::Expired)),
            (json!(now + 60), json!(now + 60), Err(Untimely::TooEarly)),
            (json!(now + 60), json!("soon"), Err(Untimely::Odd)),
            (json!(now + 60), json!(-1), Err(Untimely::Odd)),
        ] {
            let times = Times { exp, nbf };
            assert_eq!(
                times.check(leeway),
                checked,
                "{:?} {:?}",
                times.exp,
                times.nbf
            );
        }
    }
}
