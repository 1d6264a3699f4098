//! Receipts: what lets a buyer follow and cancel one payment, and nothing else.
//!
//! A receipt is a JWT of the proxy's own, whose `sub` is a transactionId. Its `aud` and its keys
//! keep it apart from orders.

use aws_lc_rs::error::Unspecified;
use aws_lc_rs::{hmac, rand};
use jsonwebtoken::{
    DecodingKey, EncodingKey, Header, Validation, decode, encode, get_current_timestamp,
};
use serde::{Deserialize, Serialize};

use crate::config::Config;

const AUDIENCE: &str = "tender-receipt";

/// Longer than a payment is open, and a bound on what a receipt that leaks is good for.
const LIFETIME_SECONDS: u64 = 30 * 24 * 60 * 60;

/// The keys of receipts: the first signs, all verify.
pub(crate) struct Receipts {
    sign: EncodingKey,
    verify: Vec<DecodingKey>,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    aud: String,
    sub: String,
    exp: u64,
}

impl Receipts {
    /// The configured keys; else keys derived from the secrets of the order keys, so that they
    /// outlive the process; else a random one.
    pub(crate) fn new(config: &Config) -> Result<Self, Unspecified> {
        let configured = config
            .receipt_keys
            .iter()
            .map(|key| key.as_bytes().to_vec());
        let mut keys: Vec<_> = configured.collect();
        if keys.is_empty() {
            let secrets = config.order_keys.iter().filter_map(|key| key.secret());
            keys = secrets.map(|secret| derive(secret.as_bytes())).collect();
        }
        if keys.is_empty() {
            tracing::warn!(
                "receipts are signed with a key that ends with this process; set `receipt_key` to keep them valid"
            );
            let mut key = vec![0; 32];
            rand::fill(&mut key)?;
            keys.push(key);
        }
        let first = keys.first().map(Vec::as_slice).unwrap_or_default();
        Ok(Self {
            sign: EncodingKey::from_secret(first),
            verify: keys
                .iter()
                .map(|key| DecodingKey::from_secret(key))
                .collect(),
        })
    }

    /// A receipt for a payment.
    pub(crate) fn issue(
        &self,
        transaction_id: &str,
    ) -> Result<String, jsonwebtoken::errors::Error> {
        let claims = Claims {
            aud: AUDIENCE.to_owned(),
            sub: transaction_id.to_owned(),
            exp: get_current_timestamp() + LIFETIME_SECONDS,
        };
        encode(&Header::default(), &claims, &self.sign)
    }

    /// The transactionId of a receipt that is valid.
    pub(crate) fn verify(&self, receipt: &str) -> Option<String> {
        let mut validation = Validation::default();
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["aud", "exp", "sub"]);
        let claims = |key| decode::<Claims>(receipt, key, &validation).ok();
        self.verify
            .iter()
            .find_map(claims)
            .map(|token| token.claims.sub)
    }
}

/// A key that tells nothing about the secret it comes from.
fn derive(secret: &[u8]) -> Vec<u8> {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
    hmac::sign(&key, AUDIENCE.as_bytes()).as_ref().to_vec()
}
