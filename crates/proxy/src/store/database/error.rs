//! Database errors.

use std::sync::Arc;

/// The cause of an error: an error of another type, or a text.
type Reason = Box<dyn std::error::Error + Send + Sync>;

/// Why the database can't be opened.
pub(crate) type OpenError = Reason;

pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a statement or a transaction failed. All transactions that are committed together share one error.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{0}")]
    Unusable(Arc<sqlx::Error>),
    /// SQLite has rolled back all transactions that were to be committed together, because one of them failed.
    #[error("the database rolled the transaction back; is its disk full?")]
    RolledBack,
    #[error("a stored value can't be read: {0}")]
    Unreadable(String),
    #[error("a value can't be stored: {0}")]
    Unwritable(String),
    /// A unique index has the value already: another transaction was faster.
    #[error("a value is stored already: {0}")]
    Taken(Arc<sqlx::Error>),
    #[error("the database did not respond in time: it is down, slow, or locked by another program")]
    Busy,
    #[error("the database was closed")]
    Closed,
    #[error("another instance took the lease over")]
    LeaseLost,
}

impl Error {
    /// Whether the database can't be read or written at the moment. Otherwise a value is wrong, or the lease is lost.
    pub(crate) fn is_unavailable(&self) -> bool {
        match self {
            Self::Unusable(_) | Self::RolledBack | Self::Busy | Self::Closed => true,
            Self::Unreadable(_) | Self::Unwritable(_) | Self::Taken(_) | Self::LeaseLost => false,
        }
    }

    pub(crate) fn unreadable(reason: impl Into<Reason>) -> Self {
        Self::Unreadable(reason.into().to_string())
    }

    pub(crate) fn unwritable(reason: impl Into<Reason>) -> Self {
        Self::Unwritable(reason.into().to_string())
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::Decode(reason) => Self::unreadable(reason),
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::ColumnNotFound(_) => {
                Self::unreadable(error)
            }
            sqlx::Error::Database(ref refusal) if refusal.is_unique_violation() => {
                Self::Taken(Arc::new(error))
            }
            error => Self::Unusable(Arc::new(error)),
        }
    }
}

/// Why a value of a row can't be read.
pub(crate) fn undecodable(reason: impl Into<Reason>) -> sqlx::Error {
    sqlx::Error::Decode(reason.into())
}
