//! Why a payment can't be watched.

use std::time::Duration;

use tender_protocol::ProblemCode;

use crate::store::database;

/// `Retry-After` when all event streams are in use.
const STREAM_RETRY: Duration = Duration::from_secs(30);

/// Why a payment can't be watched. The text is sent to the client.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("No payment with this transactionId is known.")]
    PaymentUnknown,
    #[error("Too many event streams are open; poll instead.")]
    StreamsFull,
    #[error("The proxy failed; its log has the cause.")]
    Database(#[from] database::Error),
}

impl Error {
    pub(crate) fn code(&self) -> ProblemCode {
        match self {
            Self::PaymentUnknown => ProblemCode::PaymentUnknown,
            Self::StreamsFull => ProblemCode::StreamsFull,
            Self::Database(_) => ProblemCode::Internal,
        }
    }

    /// When to try again.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        matches!(self, Self::StreamsFull).then_some(STREAM_RETRY)
    }
}
