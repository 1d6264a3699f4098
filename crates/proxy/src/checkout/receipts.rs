//! Receipts, which allow a buyer to follow and cancel one payment.
//!
//! A receipt is a JWT that the proxy signs; its `sub` is the transactionId. A separate `aud` and
//! separate keys distinguish receipts from orders, and those of test mode from those of real payments.

use std::time::Duration;

use jsonwebtoken::{
    DecodingKey, EncodingKey, Header, Validation, decode, encode, get_current_timestamp,
};
use serde::{Deserialize, Serialize};

use crate::config::Secret;
use crate::store::payments::RETENTION;

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

/// Keys for receipts: the first one signs, all verify.
pub(crate) struct Receipts {
    sign: EncodingKey,
    verify: Vec<DecodingKey>,
    is_test: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Claims<'a> {
    aud: &'static str,
    sub: &'a str,
    exp: u64,
    /// For readers of the receipt. The proxy checks `aud`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    test_mode: bool,
}

#[derive(Deserialize)]
struct Subject {
    sub: String,
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

    /// Issues a receipt for a payment.
    pub(crate) fn issue(
        &self,
        transaction_id: &str,
    ) -> Result<String, jsonwebtoken::errors::Error> {
        let claims = Claims {
            aud: audience(self.is_test),
            sub: transaction_id,
            exp: get_current_timestamp() + LIFETIME.as_secs(),
            test_mode: self.is_test,
        };
        encode(&Header::default(), &claims, &self.sign)
    }

    /// The transactionId of a valid receipt.
    pub(crate) fn verify(&self, receipt: &str) -> Option<String> {
        let mut validation = Validation::default();
        validation.set_audience(&[audience(self.is_test)]);
        validation.set_required_spec_claims(&["aud", "exp", "sub"]);
        let subject = |key| decode::<Subject>(receipt, key, &validation).ok();
        self.verify
            .iter()
            .find_map(subject)
            .map(|token| token.claims.sub)
    }
}
