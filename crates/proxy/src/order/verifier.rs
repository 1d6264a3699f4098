//! Verifies signed orders.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, Validation, decode, decode_header};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::time::Duration;
use tender_protocol::ProblemCode::{
    OrderAlgorithmRefused, OrderKeyUnknown, OrderMalformed, OrderSignatureInvalid,
};
use tracing::Span;

use super::other_key::other_key;
use super::validity::{Validity, untimed};
use super::{MAX_LENGTH, OrderError, VerifiedOrder};
use crate::clock::since_1970;
use crate::config::OrderKey;

/// How much of a `kid` is logged. Anyone may send any text.
const MAX_KID: usize = 64;

/// The rules of orders. A reload replaces the keys.
pub(crate) struct Verifier {
    pub(crate) keys: Vec<OrderKey>,
    /// How far ahead `exp` may be.
    pub(crate) max_days: u16,
}

impl Verifier {
    /// Verifies an order, to pay it, with the first matching key.
    pub(crate) fn verify(&self, order: &str) -> Result<VerifiedOrder, OrderError> {
        let verified = self.verify_to_read(order)?;
        match verified.only_to_read {
            Some(error) => Err(error),
            None => Ok(verified),
        }
    }

    /// Verifies an order, to read its payment: while that is readable, it may have expired, or be valid for too long.
    pub(crate) fn verify_to_read(&self, order: &str) -> Result<VerifiedOrder, OrderError> {
        let (verified, times) = self.verify_signature(order)?;
        let now = Duration::from_secs(since_1970().as_secs());
        let only_to_read = match times.check_order(now, self.max_days) {
            Err(error @ OrderError::NotYetValid(_)) => return Err(error),
            Err(error) if verified.readable_until < now => return Err(error),
            checked => checked.err(),
        };
        Ok(VerifiedOrder {
            only_to_read,
            ..verified
        })
    }

    /// Verifies the signature, and reads the claims.
    fn verify_signature(&self, order: &str) -> Result<(VerifiedOrder, Validity), OrderError> {
        if order.len() > MAX_LENGTH {
            return Err(OrderError::TooLong(MAX_LENGTH));
        }
        let header = decode_header(order).map_err(|_| wrong_header(order))?;
        if let Some(kid) = &header.kid {
            // In each line of the request.
            let kid: String = kid.chars().take(MAX_KID).collect();
            Span::current().record("kid", kid);
        }
        if header.crit.is_some() {
            return Err(OrderError::Critical);
        }
        let mut keys = self
            .keys
            .iter()
            .zip(1..)
            .filter(|(key, _)| key.algorithm == header.alg)
            .peekable();
        if keys.peek().is_none() {
            return Err(OrderError::Problem(OrderAlgorithmRefused));
        }
        let mut refused = OrderError::Problem(OrderKeyUnknown);
        for (key, number) in keys.filter(|(key, _)| key.is_for(header.kid.as_deref())) {
            match verify_with(key, number, order) {
                Err(error @ OrderError::OtherKey(_)) => return Err(error),
                Err(error @ OrderError::Problem(OrderSignatureInvalid)) => refused = error,
                verified => return verified,
            }
        }
        Err(refused)
    }
}

/// Verifies an order with one key.
fn verify_with(
    key: &OrderKey,
    number: usize,
    order: &str,
) -> Result<(VerifiedOrder, Validity), OrderError> {
    let mut validation = untimed(Validation::new(key.algorithm));
    validation.required_spec_claims = HashSet::new();
    let token = decode::<Box<RawValue>>(order, &key.verify, &validation);
    let claims = token
        .map(|token| token.claims)
        .map_err(|error| match error.kind() {
            ErrorKind::InvalidSignature => match other_key(key, order) {
                Some(mistake) => OrderError::OtherKey(mistake),
                None => OrderError::Problem(OrderSignatureInvalid),
            },
            ErrorKind::Json(reason) => OrderError::Claims(reason.to_string()),
            ErrorKind::InvalidAudience | ErrorKind::InvalidClaimFormat(_) => {
                OrderError::Claims("an order must not have `aud`".to_owned())
            }
            _ => OrderError::Problem(OrderMalformed),
        })?;
    let times = Validity::read(claims.get())?;
    let order = VerifiedOrder::read(claims.get(), key.name(number), &times)?;
    Ok((order, times))
}

/// What is wrong with a header that the library can't read.
fn wrong_header(order: &str) -> OrderError {
    let header = order.split('.').next().unwrap_or_default();
    let header = BASE64_URL_SAFE_NO_PAD.decode(header).ok();
    let header: Option<Value> = header.and_then(|json| serde_json::from_slice(&json).ok());
    let Some(Value::Object(header)) = header else {
        return OrderError::Problem(OrderMalformed);
    };
    match (header.get("alg"), header.get("kid")) {
        (None, _) => OrderError::Header("`alg` is missing"),
        (Some(Value::String(name)), _) if name.parse::<Algorithm>().is_err() => {
            OrderError::Problem(OrderAlgorithmRefused)
        }
        (Some(Value::String(_)), Some(kid)) if !kid.is_string() => {
            OrderError::Header("`kid` is not a text; write it in quotes")
        }
        (Some(Value::String(_)), _) => OrderError::Problem(OrderMalformed),
        (Some(_), _) => OrderError::Header("`alg` is not a text"),
    }
}
