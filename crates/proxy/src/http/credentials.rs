//! Access control: a buyer with a receipt, or the merchant.

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;

use crate::checkout::receipts::Receipts;
use crate::config::Secret;
use crate::http::problems::Error;

/// Checks receipts and merchant keys.
pub(crate) struct Access {
    pub(crate) receipts: Receipts,
    pub(crate) merchant_keys: Vec<Secret>,
}

/// The caller that a bearer token (RFC 6750) identifies.
#[derive(Debug)]
pub(crate) enum Caller {
    /// Has a merchant key and may access every payment.
    Merchant,
    /// Has the receipt of this payment.
    Buyer { transaction_id: String },
}

impl Access {
    pub(crate) fn caller(&self, headers: &HeaderMap) -> Result<Caller, Error> {
        let Some(value) = headers.get(AUTHORIZATION) else {
            return Err(Error::CredentialsMissing);
        };
        let token = value.to_str().ok().and_then(bearer);
        let token = token.ok_or(Error::CredentialsMissing)?;
        // Compare every key, so that the response time does not reveal how close a guess came.
        let keys = self.merchant_keys.iter();
        if keys.fold(false, |found, key| found | key.matches(token)) {
            return Ok(Caller::Merchant);
        }
        self.buyer(token)
    }

    /// The buyer that this receipt belongs to.
    pub(crate) fn buyer(&self, receipt: &str) -> Result<Caller, Error> {
        let transaction_id = self.receipts.verify(receipt);
        let transaction_id = transaction_id.ok_or(Error::CredentialsInvalid)?;
        Ok(Caller::Buyer { transaction_id })
    }
}

impl Caller {
    /// Fails unless the caller is the merchant.
    pub(crate) fn require_merchant(&self) -> Result<(), Error> {
        match self {
            Self::Merchant => Ok(()),
            Self::Buyer { .. } => Err(Error::CredentialsInvalid),
        }
    }

    /// Fails unless the caller may access this payment.
    pub(crate) fn require_access(&self, payment: &str) -> Result<(), Error> {
        match self {
            Self::Merchant => Ok(()),
            Self::Buyer { transaction_id } if transaction_id == payment => Ok(()),
            Self::Buyer { .. } => Err(Error::CredentialsInvalid),
        }
    }
}

/// Returns the token of `Bearer <token>`. The scheme is case-insensitive (RFC 9110, section 11.1).
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.trim().split_once(' ')?;
    (scheme.eq_ignore_ascii_case("bearer")).then_some(token.trim())
}
