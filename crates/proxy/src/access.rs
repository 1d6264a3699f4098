//! Who may do something with a payment: the buyer who holds its receipt, or the merchant.

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;

use crate::error::Error;
use crate::receipt::Receipts;
use crate::secret::Secret;

/// Checks receipts and merchant keys.
pub(crate) struct Access {
    pub(crate) receipts: Receipts,
    pub(crate) merchant_keys: Vec<Secret>,
}

/// What a bearer token (RFC 6750) proves.
#[derive(Debug)]
pub(crate) enum Caller {
    /// Holds a merchant key: may do everything.
    Merchant,
    /// Holds the receipt of this payment.
    Buyer { transaction_id: String },
}

impl Access {
    pub(crate) fn caller(&self, headers: &HeaderMap) -> Result<Caller, Error> {
        let Some(value) = headers.get(AUTHORIZATION) else {
            return Err(Error::CredentialsMissing);
        };
        let token = value.to_str().ok().and_then(bearer);
        let token = token.ok_or(Error::CredentialsMissing)?;
        // Every key is compared, so that the time tells nothing about which one came close.
        let keys = self.merchant_keys.iter();
        if keys.fold(false, |found, key| found | key.matches(token)) {
            return Ok(Caller::Merchant);
        }
        self.buyer(token)
    }

    /// Who holds this receipt.
    pub(crate) fn buyer(&self, receipt: &str) -> Result<Caller, Error> {
        let transaction_id = self.receipts.verify(receipt);
        let transaction_id = transaction_id.ok_or(Error::CredentialsInvalid)?;
        Ok(Caller::Buyer { transaction_id })
    }
}

impl Caller {
    /// Whether the caller may see what is everyone's.
    pub(crate) fn require_merchant(&self) -> Result<(), Error> {
        match self {
            Self::Merchant => Ok(()),
            Self::Buyer { .. } => Err(Error::CredentialsInvalid),
        }
    }

    /// Whether the caller may touch this payment.
    pub(crate) fn require_access(&self, payment: &str) -> Result<(), Error> {
        match self {
            Self::Merchant => Ok(()),
            Self::Buyer { transaction_id } if transaction_id == payment => Ok(()),
            Self::Buyer { .. } => Err(Error::CredentialsInvalid),
        }
    }
}

/// The token of `Bearer <token>`; the scheme's case does not matter (RFC 9110, section 11.1).
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.trim().split_once(' ')?;
    (scheme.eq_ignore_ascii_case("bearer")).then_some(token.trim())
}
