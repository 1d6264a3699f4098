//! Access control: a buyer with a receipt, or the merchant.
//!
//! [`Caller`] and [`Merchant`] are extractors of a request's headers. axum runs them before the
//! extractor of the body, so the body of a stranger is never read.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;

use crate::checkout::receipts::Receipts;
use crate::config::Secret;
use crate::http::app::App;
use crate::http::problems::Error;

/// Checks receipts and merchant keys.
pub(crate) struct Access {
    pub(crate) receipts: Receipts,
    pub(crate) merchant_keys: Vec<Secret>,
}

/// A kind of credential. Wrong ones are limited separately for each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Credential {
    Receipt,
    MerchantKey,
    WebhookSecret,
}

/// The caller that a bearer token (RFC 6750) identifies.
#[derive(Debug)]
pub(crate) enum Caller {
    /// Has a merchant key and may access every payment.
    Merchant,
    /// Has the receipt of this payment.
    Buyer { transaction_id: String },
}

/// The caller has a merchant key.
pub(crate) struct Merchant;

impl Access {
    pub(crate) fn caller(&self, headers: &HeaderMap) -> Result<Caller, Error> {
        let Some(value) = headers.get(AUTHORIZATION) else {
            return Err(Error::CredentialsMissing);
        };
        let token = value.to_str().ok().and_then(bearer);
        let token = token.ok_or(Error::CredentialsMissing)?;
        if is_one_of(&self.merchant_keys, token) {
            return Ok(Caller::Merchant);
        }
        // A receipt is a JWT, which has three parts.
        if token.split('.').count() == 3 {
            self.buyer(token)
        } else {
            Err(Error::CredentialsInvalid(Credential::MerchantKey))
        }
    }

    /// The buyer that this receipt belongs to.
    pub(crate) fn buyer(&self, receipt: &str) -> Result<Caller, Error> {
        let transaction_id = self.receipts.verify(receipt);
        let wrong = Error::CredentialsInvalid(Credential::Receipt);
        let transaction_id = transaction_id.ok_or(wrong)?;
        Ok(Caller::Buyer { transaction_id })
    }
}

/// Compares every secret, so that the response time does not reveal how close a guess came.
pub(crate) fn is_one_of(secrets: &[Secret], offered: &str) -> bool {
    let secrets = secrets.iter();
    secrets.fold(false, |found, secret| found | secret.matches(offered))
}

impl Caller {
    /// Fails unless the caller may access this payment.
    pub(crate) fn require_access(&self, payment: &str) -> Result<(), Error> {
        match self {
            Self::Merchant => Ok(()),
            Self::Buyer { transaction_id } if transaction_id == payment => Ok(()),
            Self::Buyer { .. } => Err(Error::CredentialsInvalid(Credential::Receipt)),
        }
    }
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Error> {
        app.access.caller(&parts.headers)
    }
}

impl FromRequestParts<Arc<App>> for Merchant {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Error> {
        match app.access.caller(&parts.headers)? {
            Caller::Merchant => Ok(Self),
            Caller::Buyer { .. } => Err(Error::CredentialsInvalid(Credential::Receipt)),
        }
    }
}

/// Returns the token of `Bearer <token>`. The scheme is case-insensitive (RFC 9110, section 11.1).
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.trim().split_once(' ')?;
    (scheme.eq_ignore_ascii_case("bearer")).then_some(token.trim())
}
