//! What can go wrong with a database.

use std::io;
use std::sync::Arc;

use rusqlite::ffi;

/// An error of another kind, or a text.
type Reason = Box<dyn std::error::Error + Send + Sync>;

pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

/// Why something was not done.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Error {
    /// One for all jobs that shared a commit.
    #[error("{0}")]
    Sqlite(Arc<rusqlite::Error>),
    #[error("{0}")]
    Postgres(Arc<sqlx::Error>),
    /// What this program, or another version of it, did not write.
    #[error("what is stored can't be read: {0}")]
    Unreadable(String),
    /// What is to be stored has no form in which it could be.
    #[error("this can't be stored: {0}")]
    Unwritable(String),
    /// More work waits than there is room for.
    #[error("the database is too slow for what is asked of it")]
    Busy,
    /// A full disk, or one that fails: what came before a job in its commit is not kept either.
    #[error("the database took back what was written; is its disk full?")]
    RolledBack,
    /// The thread of the connection has ended.
    #[error("the database was closed")]
    Closed,
}

impl Error {
    /// Whether another row has a value that there is once at most.
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

/// Why the database can't be used at all.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DatabaseError {
    /// The file can't be made.
    #[error("{0}")]
    File(#[from] io::Error),
    /// The database refuses, or can't be reached.
    #[error("{0}")]
    Connect(#[from] Error),
    /// Its tables are not those of this program.
    #[error("its tables can't be brought to this version: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// A newer version of this program was here.
    #[error("its tables are of version {found}, and this program knows {known}: use a newer one")]
    Newer {
        /// As it is.
        found: u32,
        /// As it would be.
        known: u32,
    },
}
