//! Database errors.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::ffi;
use sqlx::error::DatabaseError as PostgresError;
use sqlx::migrate::MigrateError;

/// The cause of an error: an error of another type, or a text.
type Reason = Box<dyn std::error::Error + Send + Sync>;

/// All jobs of a commit share one error.
type Shared = Arc<dyn std::error::Error + Send + Sync>;

pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

/// PostgreSQL's condition `disk_full`.
const POSTGRES_DISK_FULL: &str = "53100";

/// Why a job failed.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The database can't be reached, read or written.
    #[error("{0}")]
    Unusable(Shared),
    /// A unique index has the value already.
    #[error("{0}")]
    Duplicate(Shared),
    #[error("the database's disk is full or fails; free some space ({0})")]
    Disk(Shared),
    /// A file of a SQLite database is shorter than its content says.
    #[error(
        "a file of the database ends too early, so it or its `-wal` file was probably truncated; stop the \
         proxy, restore a backup and start it again ({0})"
    )]
    Truncated(Shared),
    /// An earlier job of the same commit has failed, and with it the whole transaction.
    #[error("the database rolled the transaction back; is its disk full?")]
    RolledBack,
    /// A stored value has an unknown format.
    #[error("a stored value can't be read: {0}")]
    Unreadable(String),
    /// A value can't be serialised.
    #[error("a value can't be stored: {0}")]
    Unwritable(String),
    #[error(
        "the database file {} was deleted, moved or replaced, so nothing is written; put the file back, \
         or stop the proxy, restore a backup and start it again", .0.display()
    )]
    FileGone(PathBuf),
    /// The write-ahead log or its index. If it is the log, its commits were copied to the database.
    #[error(
        "the file {} of the database was deleted, moved or replaced, so nothing is written; put the file \
         back, or stop the proxy, move away another file of this name and start it again; what was stored \
         before is kept", .0.display()
    )]
    LogGone(PathBuf),
    #[error(
        "the file {} of the database was truncated: the latest writes are lost, so nothing is written; \
         stop the proxy, restore a backup and start it again", .0.display()
    )]
    LogTruncated(PathBuf),
    /// The queue is full, or the answer takes too long.
    #[error("the database is too slow or locked by another program")]
    Busy,
    /// The thread of the connection has ended.
    #[error("the database was closed")]
    Closed,
}

impl Error {
    /// Whether the error is a violation of a unique index.
    pub(crate) fn is_unique_violation(&self) -> bool {
        matches!(self, Self::Duplicate(_))
    }

    /// Whether the database can't be read or written at the moment. Otherwise a value is wrong.
    pub(crate) fn is_unavailable(&self) -> bool {
        let is_value = matches!(
            self,
            Self::Duplicate(_) | Self::Unreadable(_) | Self::Unwritable(_)
        );
        !is_value
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
        let Some(code) = error.sqlite_error() else {
            return Self::unreadable(error);
        };
        match (code.extended_code, code.extended_code & 0xff) {
            (ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY, _) => {
                Self::Duplicate(Arc::new(error))
            }
            (ffi::SQLITE_IOERR_SHORT_READ, _) => Self::Truncated(Arc::new(error)),
            (_, ffi::SQLITE_FULL | ffi::SQLITE_IOERR) => Self::Disk(Arc::new(error)),
            _ => Self::Unusable(Arc::new(error)),
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let of_server = error.as_database_error();
        if of_server.is_some_and(PostgresError::is_unique_violation) {
            return Self::Duplicate(Arc::new(error));
        }
        let code = of_server.and_then(PostgresError::code);
        match error {
            sqlx::Error::Decode(_)
            | sqlx::Error::ColumnDecode { .. }
            | sqlx::Error::ColumnNotFound(_) => Self::unreadable(error),
            _ if code.as_deref() == Some(POSTGRES_DISK_FULL) => Self::Disk(Arc::new(error)),
            _ => Self::Unusable(Arc::new(error)),
        }
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
    #[error(
        "the server did not answer within {0:?}; check that it is PostgreSQL, that it is not overloaded, \
         and that no firewall drops its packets"
    )]
    NoAnswer(Duration),
    #[error(
        "the tables were not migrated within {0:?}; check in `pg_stat_activity` whether another session \
         locks them, or whether another instance is still migrating"
    )]
    NotMigrated(Duration),
    /// The tables can't be migrated.
    #[error("the tables can't be migrated to this version: {0}")]
    Migrate(MigrateError),
    /// The tables were migrated by a newer version of this program.
    #[error(
        "the tables have version {found}, which this program does not know; use a newer program"
    )]
    Newer {
        /// The version of the tables.
        found: i64,
    },
}

impl From<MigrateError> for DatabaseError {
    fn from(error: MigrateError) -> Self {
        match error {
            MigrateError::VersionMissing(found) => Self::Newer { found },
            other => Self::Migrate(other),
        }
    }
}

impl From<sqlx::Error> for DatabaseError {
    fn from(error: sqlx::Error) -> Self {
        Self::Connect(error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_of_a_truncated_file_names_the_cause() {
        let failed =
            |code| Error::from(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
        let truncated = failed(ffi::SQLITE_IOERR_SHORT_READ);
        assert!(truncated.to_string().contains("truncated"), "{truncated}");
        assert!(truncated.is_unavailable());
        let full = failed(ffi::SQLITE_IOERR_WRITE).to_string();
        assert!(full.contains("disk is full"), "{full}");
    }
}
