//! Signed orders: how a shop's backend, and not the page, sets the price.
//!
//! An order is a JWT (RFC 7519) with the claims of [`OrderClaims`] and `exp`.

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation, decode, decode_header};
use tender_protocol::request::OrderClaims;

use crate::secret::Secret;

/// Far more than an order needs, and a bound on what a stranger can make us decode.
const MAX_LENGTH: usize = 4096;

/// Seconds by which the clocks of shop and proxy may differ.
const LEEWAY: u64 = 30;

/// A key that verifies orders. It fixes the algorithm: what the order's header says is no choice.
#[derive(Clone, Debug)]
pub struct OrderKey {
    kid: Option<String>,
    verify: DecodingKey,
    algorithm: Algorithm,
    secret: Option<Secret>,
}

/// Why an order is refused. The message may be shown.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum OrderError {
    /// The `exp` has passed.
    #[error("The order has expired; reload the page to get a new one.")]
    Expired,
    /// The `nbf` has not come.
    #[error("The order is not valid yet; check the shop's clock.")]
    NotYetValid,
    /// Over the bound on an order's length.
    #[error("The order is longer than {MAX_LENGTH} characters.")]
    TooLong,
    /// Not a JWT, or one with an algorithm that is never accepted.
    #[error("The order is not a JWT signed with HS256 or EdDSA.")]
    Malformed,
    /// The header has `crit`, and no extension is understood (RFC 7515, section 4.1.11).
    #[error("The order's header marks extensions as critical, and none are supported.")]
    Critical,
    /// No key is of the order's algorithm and `kid`.
    #[error("No key is configured for the order's algorithm and `kid`.")]
    NoKey,
    /// No key made the signature.
    #[error("The order's signature does not match.")]
    Signature,
    /// The claims are not those of an order.
    #[error("The order's claims are not as documented: {0}.")]
    Claims(String),
}

impl OrderKey {
    /// A shared secret (HS256), for orders that name this `kid` or none.
    #[must_use]
    pub fn hs256(kid: Option<String>, secret: Secret) -> Self {
        Self {
            kid,
            verify: DecodingKey::from_secret(secret.as_bytes()),
            algorithm: Algorithm::HS256,
            secret: Some(secret),
        }
    }

    /// An Ed25519 public key in PEM (EdDSA); `None` where `pem` is anything else.
    #[must_use]
    pub fn ed25519(kid: Option<String>, pem: &str) -> Option<Self> {
        let verify = DecodingKey::from_ed_pem(pem.as_bytes()).ok()?;
        let algorithm = Algorithm::EdDSA;
        Some(Self {
            kid,
            verify,
            algorithm,
            secret: None,
        })
    }

    /// What a receipt key may be derived from; a public key is no secret.
    pub(crate) fn secret(&self) -> Option<&Secret> {
        self.secret.as_ref()
    }

    /// A `kid` on both sides must be the same; a side without one leaves the choice to the other.
    fn is_for(&self, header: &Header) -> bool {
        let same_kid = match (&self.kid, &header.kid) {
            (Some(own), Some(other)) => own == other,
            _ => true,
        };
        same_kid && self.algorithm == header.alg
    }

    fn verify(&self, order: &str) -> Result<OrderClaims, OrderError> {
        let mut validation = Validation::new(self.algorithm);
        validation.leeway = LEEWAY;
        validation.validate_nbf = true;
        decode(order, &self.verify, &validation)
            .map(|token| token.claims)
            .map_err(|error| match error.kind() {
                ErrorKind::ExpiredSignature => OrderError::Expired,
                ErrorKind::ImmatureSignature => OrderError::NotYetValid,
                ErrorKind::InvalidSignature => OrderError::Signature,
                ErrorKind::Json(reason) => OrderError::Claims(reason.to_string()),
                ErrorKind::MissingRequiredClaim(name) => {
                    OrderError::Claims(format!("`{name}` is missing"))
                }
                ErrorKind::InvalidClaimFormat(name) => {
                    OrderError::Claims(format!("`{name}` is not a time in seconds"))
                }
                ErrorKind::InvalidAudience => {
                    OrderError::Claims("an order has no `aud`".to_owned())
                }
                _ => OrderError::Malformed,
            })
    }
}

/// Verifies an order with the first of `keys` that made its signature.
pub(crate) fn verify(order: &str, keys: &[OrderKey]) -> Result<OrderClaims, OrderError> {
    if order.len() > MAX_LENGTH {
        return Err(OrderError::TooLong);
    }
    let header = decode_header(order).map_err(|_| OrderError::Malformed)?;
    if header.crit.is_some() {
        return Err(OrderError::Critical);
    }
    let mut refused = OrderError::NoKey;
    for key in keys.iter().filter(|key| key.is_for(&header)) {
        match key.verify(order) {
            Err(OrderError::Signature) => refused = OrderError::Signature,
            verified => return verified,
        }
    }
    Err(refused)
}
