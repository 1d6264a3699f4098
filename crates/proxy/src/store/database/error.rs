//! Database errors.

use std::io;
use std::sync::Arc;

use rusqlite::ffi;

/// The cause of an error: an error of another type, or a text.
type Reason = Box<dyn std::error::Error + Send + Sync>;

pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a job failed.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Error {
    /// All jobs of a commit share one error.
    #[error("{0}")]
    Sqlite(Arc<rusqlite::Error>),
    #[error("{0}")]
    Postgres(Arc<sqlx::Error>),
    /// A stored value has an unknown format.
    #[error("a stored value can't be read: {0}")]
    Unreadable(String),
    /// A value can't be serialised.
    #[error("a value can't be stored: {0}")]
    Unwritable(String),
    /// The queue is full.
    #[error("the database is too slow: its queue is full")]
    Busy,
    /// The disk is full or fails. The earlier jobs of the same commit are lost too.
    #[error("the database rolled the transaction back; is its disk full?")]
    RolledBack,
    /// The thread of the connection has ended.
    #[error("the database was closed")]
    Closed,
}

impl Error {
    /// Whether the error is a violation of a unique index.
    pub(crate) fn is_unique_violation(&self) -> bool {
        match self {
            Self::Sqlite(error) => error.sqlite_error().is_some_and(|error| {
                [
                    ffi::SQLITE_CONSTRAINT_UNIQUE,
                    ffi::SQLITE_CONSTRAINT_PRIMARYKEY,
                ]
                .contains(&error.extended_code)
            }),
            Self::Postgres(error) => error
                .as_database_error()
                .is_some_and(sqlx::error::DatabaseError::is_unique_violation),
            _ => false,
        }
    }

    pub(crate) fn unreadable(reason: impl Into<Reason>) -> Self {
        Self::Unreadable(reason.into().to_string())
    }

    pub(crate) fn unwritable(reason: impl Into<Reason>) -> Self {
        Self::Unwritable(reason.into().to_string())
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(Arc::new(error))
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        Self::Postgres(Arc::new(error))
    }
}

/// Why the database can't be opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DatabaseError {
    /// The file can't be created.
    #[error("{0}")]
    File(#[from] io::Error),
    /// The database can't be reached or refuses the connection.
    #[error("{0}")]
    Connect(#[from] Error),
    /// The tables can't be migrated.
    #[error("the tables can't be migrated to this version: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// The tables were migrated by a newer version of this program.
    #[error(
        "the tables have version {found}, but this program supports versions up to {known}; use a newer program"
    )]
    Newer {
        /// The version of the tables.
        found: u32,
        /// The latest version that this program knows.
        known: u32,
    },
}
