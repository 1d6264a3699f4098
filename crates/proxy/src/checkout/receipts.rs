//! Receipts, which allow a buyer to follow and cancel one payment.
//!
//! A receipt is a JWT that the proxy signs; its `sub` is the transactionId. A separate `aud` and
//! separate keys distinguish receipts from orders.

use std::iter;
use std::time::Duration;

use aws_lc_rs::hmac;
use jsonwebtoken::{
    DecodingKey, EncodingKey, Header, Validation, decode, encode, get_current_timestamp,
};
use serde::{Deserialize, Serialize};

use crate::config::{Config, OrderKey};
use crate::store::attempts::AttemptStore;
use crate::store::database;
use crate::store::payments::RETENTION;

const AUDIENCE: &str = "tender-receipt";

/// Longer than a payment stays open, and a limit on the misuse of a leaked receipt.
const LIFETIME: Duration = RETENTION;

/// Keys for receipts: the first one signs, all verify.
pub(crate) struct Receipts {
    sign: EncodingKey,
    verify: Vec<DecodingKey>,
}

#[derive(Serialize)]
struct Claims<'a> {
    aud: &'static str,
    sub: &'a str,
    exp: u64,
}

#[derive(Deserialize)]
struct Subject {
    sub: String,
}

impl Receipts {
    /// Uses the configured keys; else keys derived from the secrets of the order keys; else a
    /// random key from the database. All of them are stable across restarts and the same in all
    /// instances.
    pub(crate) async fn new(config: &Config, store: &AttemptStore) -> database::Result<Self> {
        let configured = config.access.receipt_keys.iter();
        let mut keys: Vec<_> = configured.map(|key| key.as_bytes().to_vec()).collect();
        if keys.is_empty() {
            let secrets = config.orders.keys.iter().filter_map(OrderKey::secret);
            keys = secrets.map(|secret| derived(secret.as_bytes())).collect();
        }
        let mut keys = keys.into_iter();
        let first = match keys.next() {
            Some(first) => first,
            None => store.secret(AUDIENCE).await?.into_bytes(),
        };
        Ok(Self {
            sign: EncodingKey::from_secret(&first),
            verify: iter::once(first)
                .chain(keys)
                .map(|key| DecodingKey::from_secret(&key))
                .collect(),
        })
    }

    /// Issues a receipt for a payment.
    pub(crate) fn issue(
        &self,
        transaction_id: &str,
    ) -> Result<String, jsonwebtoken::errors::Error> {
        let claims = Claims {
            aud: AUDIENCE,
            sub: transaction_id,
            exp: get_current_timestamp() + LIFETIME.as_secs(),
        };
        encode(&Header::default(), &claims, &self.sign)
    }

    /// The transactionId of a valid receipt.
    pub(crate) fn verify(&self, receipt: &str) -> Option<String> {
        let mut validation = Validation::default();
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["aud", "exp", "sub"]);
        let subject = |key| decode::<Subject>(receipt, key, &validation).ok();
        self.verify
            .iter()
            .find_map(subject)
            .map(|token| token.claims.sub)
    }
}

/// Derives a key that reveals nothing about the secret.
fn derived(secret: &[u8]) -> Vec<u8> {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
    hmac::sign(&key, AUDIENCE.as_bytes()).as_ref().to_vec()
}
