//! Signed orders, with which the shop's backend sets the price instead of the page.
//!
//! An order is a JWT (RFC 7519) with the claims of [`OrderClaims`] and `exp`.

use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, Validation, decode, decode_header};
use serde::Deserialize;
use serde_json::value::RawValue;
use tender_protocol::ProblemCode;
use tender_protocol::client::url::UrlParts;
use tender_protocol::request::{OrderClaims, SignedOrder};

use super::times::{Times, Untimely, untimed};
use crate::config::OrderKey;
use crate::store::payments::RETENTION;

/// Far more than an order needs. Bounds the work of decoding.
const MAX_LENGTH: usize = 4096;

/// Allowed difference between the clocks of shop and proxy.
const LEEWAY: Duration = Duration::from_secs(30);

/// How long after its `exp` an order still leads to its payment, which can only be read then.
pub(crate) const READABLE: Duration = RETENTION;

/// The content of an order whose signature is valid.
pub(crate) struct VerifiedOrder {
    pub(crate) claims: OrderClaims,
    pub(crate) signed: SignedOrder,
    /// Until when its payment can be read, since 1970.
    pub(crate) readable_until: Duration,
    /// Whether it may only be read.
    pub(crate) is_expired: bool,
    /// The name of the key that verified it: its `kid`, or its number.
    pub(crate) key: String,
}

/// The claims that are not part of the request to the service.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OtherClaims {
    /// Seconds, possibly with a fraction (RFC 7519, section 4.1.4).
    exp: serde_json::Number,
    /// The checkout links to it. It is only checked here, so that the shop learns of a mistake.
    return_url: Option<String>,
}

/// Why an order was refused. The message may be shown to the buyer.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum OrderError {
    #[error("The order has expired; reload the page to get a new one.")]
    Expired,
    #[error("The order is not valid yet; check the shop's clock.")]
    NotYetValid,
    #[error("The order is longer than {MAX_LENGTH} characters.")]
    TooLong,
    #[error("The order is not a JWT in the compact form.")]
    Malformed,
    /// `none`, or an algorithm without a configured key.
    #[error("No key is configured for the order's `alg`; sign with HS256 or EdDSA.")]
    Algorithm,
    /// The header has `crit`, but no extensions are supported (RFC 7515, section 4.1.11).
    #[error("The order's header marks extensions as critical, and none are supported.")]
    Critical,
    #[error("No key is configured for the order's `kid`.")]
    NoKey,
    #[error("The order's signature does not match: it was altered, or signed with another key.")]
    Signature,
    #[error("The order's claims are not as documented: {0}.")]
    Claims(String),
}

impl OrderError {
    /// The claims can't be read.
    #[expect(clippy::needless_pass_by_value, reason = "it maps errors")]
    fn claims(error: serde_json::Error) -> Self {
        Self::Claims(error.to_string())
    }

    pub(crate) fn code(&self) -> ProblemCode {
        match self {
            Self::Expired => ProblemCode::OrderExpired,
            Self::NotYetValid => ProblemCode::OrderNotYetValid,
            Self::TooLong => ProblemCode::OrderTooLong,
            Self::Malformed => ProblemCode::OrderMalformed,
            Self::Algorithm => ProblemCode::OrderAlgorithmRefused,
            Self::NoKey => ProblemCode::OrderKeyUnknown,
            Self::Signature => ProblemCode::OrderSignatureInvalid,
            Self::Critical | Self::Claims(_) => ProblemCode::OrderInvalid,
        }
    }
}

impl VerifiedOrder {
    fn read(json: &str, key: String) -> Result<Self, OrderError> {
        let invalid = OrderError::claims;
        let OtherClaims { exp, return_url } = serde_json::from_str(json).map_err(invalid)?;
        check_return_url(return_url.as_deref()).map_err(OrderError::Claims)?;
        let exp = exp.as_f64().map(Duration::try_from_secs_f64);
        // A time beyond the range of `Duration` means that the order never expires.
        let exp = exp.and_then(Result::ok).unwrap_or(Duration::MAX);
        Ok(Self {
            claims: serde_json::from_str(json).map_err(invalid)?,
            signed: serde_json::from_str(json).map_err(invalid)?,
            readable_until: exp.saturating_add(LEEWAY + READABLE),
            is_expired: false,
            key,
        })
    }
}

/// Verifies an order, to pay it, with the first matching key.
pub(crate) fn verify(order: &str, keys: &[OrderKey]) -> Result<VerifiedOrder, OrderError> {
    verify_within(LEEWAY, order, keys)
}

/// Verifies an order, to read its payment: it may have expired up to [`READABLE`] ago.
pub(crate) fn verify_to_read(order: &str, keys: &[OrderKey]) -> Result<VerifiedOrder, OrderError> {
    match verify(order, keys) {
        Err(OrderError::Expired) => Ok(VerifiedOrder {
            is_expired: true,
            ..verify_within(LEEWAY + READABLE, order, keys)?
        }),
        verified => verified,
    }
}

/// Verifies an order that has expired at most `leeway` ago.
fn verify_within(
    leeway: Duration,
    order: &str,
    keys: &[OrderKey],
) -> Result<VerifiedOrder, OrderError> {
    if order.len() > MAX_LENGTH {
        return Err(OrderError::TooLong);
    }
    let header = decode_header(order).map_err(|_| match algorithm_name(order) {
        // If the library knows the algorithm, something else in the header is wrong.
        Some(name) if name.parse::<Algorithm>().is_err() => OrderError::Algorithm,
        _ => OrderError::Malformed,
    })?;
    if header.crit.is_some() {
        return Err(OrderError::Critical);
    }
    let mut keys = keys
        .iter()
        .zip(1..)
        .filter(|(key, _)| key.algorithm == header.alg)
        .peekable();
    if keys.peek().is_none() {
        return Err(OrderError::Algorithm);
    }
    let mut refused = OrderError::NoKey;
    for (key, number) in keys.filter(|(key, _)| key.is_for(header.kid.as_deref())) {
        match verify_with(key, number, leeway, order) {
            Err(OrderError::Signature) => refused = OrderError::Signature,
            verified => return verified,
        }
    }
    Err(refused)
}

/// Verifies an order with one key.
fn verify_with(
    key: &OrderKey,
    number: usize,
    leeway: Duration,
    order: &str,
) -> Result<VerifiedOrder, OrderError> {
    let validation = untimed(Validation::new(key.algorithm));
    let token = decode::<Box<RawValue>>(order, &key.verify, &validation);
    let claims = token
        .map(|token| token.claims)
        .map_err(|error| match error.kind() {
            ErrorKind::InvalidSignature => OrderError::Signature,
            ErrorKind::Json(reason) => OrderError::Claims(reason.to_string()),
            ErrorKind::MissingRequiredClaim(name) => {
                OrderError::Claims(format!("`{name}` is missing"))
            }
            ErrorKind::InvalidAudience => {
                OrderError::Claims("an order must not have `aud`".to_owned())
            }
            _ => OrderError::Malformed,
        })?;
    let times: Times = serde_json::from_str(claims.get()).map_err(OrderError::claims)?;
    times.check(leeway).map_err(|untimely| match untimely {
        Untimely::Expired => OrderError::Expired,
        Untimely::TooEarly => OrderError::NotYetValid,
        Untimely::Odd => OrderError::Claims("`nbf` is not a time in seconds".to_owned()),
    })?;
    VerifiedOrder::read(claims.get(), key.name(number))
}

/// The checkout uses the same rule: https, or http on this machine.
pub(super) fn check_return_url(url: Option<&str>) -> Result<(), String> {
    let fits = |url| UrlParts::split(url).is_some_and(|parts| parts.is_https_or_local());
    let fits = url.is_none_or(fits).then_some(());
    fits.ok_or_else(|| "`returnUrl` is not an https address".to_owned())
}

/// The `alg` of a header, even if the library does not support it, such as `none`.
fn algorithm_name(order: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Head {
        alg: String,
    }
    let (head, _) = order.split_once('.')?;
    let json = BASE64_URL_SAFE_NO_PAD.decode(head).ok()?;
    let Head { alg } = serde_json::from_slice(&json).ok()?;
    Some(alg)
}
