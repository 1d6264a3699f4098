//! A transactionId that a client sent.

use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use tender_ledger::{MAX_ID_LENGTH, is_valid_id};
use utoipa::IntoParams;

use crate::error::Error;
use crate::http::audit::Audit;

/// A transactionId that is short and has no control characters, so that it can be stored, compared
/// and logged. As an extractor it is the only parameter of the path, and the audit log gets it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, IntoParams)]
#[into_params(parameter_in = Path, names("transactionId"))]
pub(crate) struct PaymentId(
    /// The payment, 1 to 256 bytes without control characters.
    String,
);

impl PaymentId {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for PaymentId {
    type Error = Error;

    fn try_from(id: String) -> Result<Self, Error> {
        if is_valid_id(&id) {
            Ok(Self(id))
        } else {
            Err(invalid())
        }
    }
}

impl From<PaymentId> for String {
    fn from(PaymentId(id): PaymentId) -> Self {
        id
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PaymentId {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let id: Result<Path<String>, PathRejection> = Path::from_request_parts(parts, state).await;
        // Percent-encoded bytes that are not UTF-8.
        let Path(id) = id.map_err(|_| invalid())?;
        let id = Self::try_from(id)?;
        let audit = parts.extensions.get_or_insert_default::<Audit>();
        audit.payment(&id.0);
        Ok(id)
    }
}

fn invalid() -> Error {
    Error::InvalidRequest(format!(
        "`transactionId` must be 1 to {MAX_ID_LENGTH} bytes of UTF-8 without control characters"
    ))
}
