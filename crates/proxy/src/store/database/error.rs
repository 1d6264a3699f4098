//! Database errors.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use sqlx::error::DatabaseError as Refusal;
use sqlx::migrate::MigrateError;
use sqlx::sqlite::SqliteError;

/// The cause of an error: an error of another type, or a text.
type Reason = Box<dyn std::error::Error + Send + Sync>;

pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

/// PostgreSQL's condition `disk_full`.
const POSTGRES_DISK_FULL: &str = "53100";

/// `SQLITE_IOERR` and `SQLITE_FULL`.
const SQLITE_DISK: [u32; 2] = [10, 13];

/// Why a job failed. All jobs of a commit share one error.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The database can't be reached, read or written.
    #[error("{0}")]
    Unusable(Arc<sqlx::Error>),
    /// A unique index has the value already.
    #[error("{0}")]
    Duplicate(Arc<sqlx::Error>),
    #[error("the database's disk is full or fails; free some space ({0})")]
    Disk(Arc<sqlx::Error>),
    /// An earlier job of the same commit has failed, and with it the whole transaction.
    #[error("the database rolled the transaction back; is its disk full?")]
    RolledBack,
    /// A stored value has an unknown format.
    #[error("a stored value can't be read: {0}")]
    Unreadable(String),
    /// A value can't be serialised.
    #[error("a value can't be stored: {0}")]
    Unwritable(String),
    /// Getting a connection or an answer takes too long.
    #[error("the database is too slow or locked by another program")]
    Busy,
    /// The program stops.
    #[error("the database was closed")]
    Closed,
}

impl Error {
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

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let refusal = error.as_database_error();
        if refusal.is_some_and(Refusal::is_unique_violation) {
            return Self::Duplicate(Arc::new(error));
        }
        match error {
            sqlx::Error::Decode(_)
            | sqlx::Error::ColumnDecode { .. }
            | sqlx::Error::ColumnNotFound(_) => Self::unreadable(error),
            _ if refusal.is_some_and(is_of_disk) => Self::Disk(Arc::new(error)),
            _ => Self::Unusable(Arc::new(error)),
        }
    }
}

/// Whether the disk of the database is full or fails.
fn is_of_disk(refusal: &dyn Refusal) -> bool {
    sqlite_code(refusal).map_or_else(
        || refusal.code().as_deref() == Some(POSTGRES_DISK_FULL),
        |code| SQLITE_DISK.contains(&code),
    )
}

/// SQLite's result code, which is the lower byte of its extended code; `None` of PostgreSQL.
pub(super) fn sqlite_code(refusal: &dyn Refusal) -> Option<u32> {
    refusal.try_downcast_ref::<SqliteError>()?;
    let extended: u32 = refusal.code()?.parse().ok()?;
    Some(extended & 0xff)
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
