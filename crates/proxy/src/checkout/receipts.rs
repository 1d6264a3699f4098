//! Receipts, which allow a buyer to follow and, unless they only read, cancel one payment.
//!
//! A receipt is a JWT that the proxy signs; its `sub` is the transactionId. A separate `aud` and
//! separate keys distinguish receipts from orders, and those of test mode from those of real payments.

use std::time::Duration;

use jsonwebtoken::{DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::clock::since_1970;
use crate::config::RETENTION;
use crate::config::Secret;
use crate::error::Error;
use crate::order::validity::{Validity, untimed};

/// The `aud` of receipts, and the name of their key in the database. A proxy refuses the receipts of
/// the other mode.
pub(crate) const fn audience(is_test: bool) -> &'static str {
    if is_test {
        "tender-test-receipt"
    } else {
        "tender-receipt"
    }
}

/// Longer than a payment stays open, and a limit on the misuse of a leaked receipt.
const LIFETIME: Duration = RETENTION;

/// Allowed difference between the clocks of two instances.
const LEEWAY: Duration = Duration::from_mins(1);

/// Keys for receipts: the first one signs, all verify.
pub(crate) struct Receipts {
    sign: EncodingKey,
    verify: Vec<DecodingKey>,
    is_test: bool,
}

/// What the holder of a receipt may do with its payment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Rights {
    /// The buyer who created it, and may do everything.
    #[default]
    Own,
    /// Someone with its order, who may do the same, but does not see the buyer's e-mail address and name.
    Found,
    /// Someone with its order, which has expired. They may read what [`Found`](Self::Found) allows to read.
    ReadOnly,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Receipt {
    #[serde(rename = "sub")]
    pub(crate) transaction_id: String,
    /// Receipts of an older proxy may lack it.
    #[serde(default)]
    pub(crate) rights: Rights,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Claims<'a> {
    aud: &'static str,
    #[serde(flatten)]
    receipt: &'a Receipt,
    exp: u64,
    /// For readers of the receipt. The proxy checks `aud`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    test_mode: bool,
}

impl Receipts {
    /// Uses the configured keys, and after them the random key in the database, which all instances
    /// share. That one always verifies, so adding the first configured key invalidates no receipt.
    pub(crate) fn new(configured: &[Secret], stored: &Secret, is_test: bool) -> Self {
        let first = configured.first().unwrap_or(stored);
        let keys = configured.iter().chain([stored]);
        Self {
            sign: EncodingKey::from_secret(first.as_bytes()),
            verify: keys
                .map(|key| DecodingKey::from_secret(key.as_bytes()))
                .collect(),
            is_test,
        }
    }

    /// Issues a receipt that is valid until this time since 1970 at most.
    pub(crate) fn issue(&self, receipt: &Receipt, until: Duration) -> Result<String, Error> {
        let claims = Claims {
            aud: audience(self.is_test),
            receipt,
            exp: since_1970()
                .saturating_add(LIFETIME)
                .as_secs()
                .min(until.as_secs()),
            test_mode: self.is_test,
        };
        encode(&Header::default(), &claims, &self.sign).map_err(Error::internal)
    }

    pub(crate) fn verify(&self, receipt: &str) -> Option<Receipt> {
        let mut validation = untimed(Validation::default());
        validation.set_audience(&[audience(self.is_test)]);
        validation.set_required_spec_claims(&["aud", "exp", "sub"]);
        let content = |key| decode::<Box<RawValue>>(receipt, key, &validation).ok();
        let claims = self.verify.iter().find_map(content)?.claims;
        let times = Validity::read(claims.get()).ok()?;
        times.check(since_1970(), LEEWAY).ok()?;
        serde_json::from_str(claims.get()).ok()
    }
}
