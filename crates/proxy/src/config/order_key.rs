//! Keys that verify signed orders.

use jsonwebtoken::{Algorithm, DecodingKey};

use super::Secret;

/// A key that verifies orders. It determines the algorithm; the `alg` of an order must match it.
#[derive(Clone, Debug)]
pub struct OrderKey {
    kid: Option<String>,
    pub(crate) verify: DecodingKey,
    pub(crate) algorithm: Algorithm,
    secret: Option<Secret>,
}

impl OrderKey {
    /// A shared secret (HS256). It verifies orders with this `kid` or without one.
    #[must_use]
    pub fn hs256(kid: Option<String>, secret: Secret) -> Self {
        Self {
            kid,
            verify: DecodingKey::from_secret(secret.as_bytes()),
            algorithm: Algorithm::HS256,
            secret: Some(secret),
        }
    }

    /// An Ed25519 public key in PEM (EdDSA); `None` if `pem` is invalid.
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

    /// The secret that receipt keys can be derived from; `None` for a public key.
    pub(crate) fn secret(&self) -> Option<&Secret> {
        self.secret.as_ref()
    }

    /// Whether the key verifies orders with this `kid`: if both have one, they must be equal.
    pub(crate) fn is_for(&self, kid: Option<&str>) -> bool {
        match (&self.kid, kid) {
            (Some(own), Some(other)) => own == other,
            _ => true,
        }
    }
}
