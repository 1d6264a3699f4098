//! The database: SQLite inside the program, or PostgreSQL for several instances.
//!
//! Work is passed to it as a job, which reads and writes in a [`Session`]. A job is a transaction:
//! all of its writes are kept, or none. Jobs and SQL statements are the same for both databases.
//!
//! | file | contents |
//! |---|---|
//! | `session` | statements, values and rows |
//! | `worker` | a thread with a SQLite connection, which commits waiting jobs together |
//! | `checkpoints` | a thread that checkpoints SQLite's write-ahead log |
//! | `sqlite`, `postgres` | opening and migrating each database |
//! | `in_list` | statements with a list of values |
//! | `clock`, `deadline` | the database's clock, and time limits on this machine's |

mod checkpoints;
mod clock;
mod deadline;
mod error;
mod in_list;
mod postgres;
mod session;
mod sqlite;
#[cfg(test)]
mod tests;
mod worker;

use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::PgPool;

pub(crate) use self::clock::{Clock, Millis, millis};
pub(crate) use self::deadline::Deadline;
pub(crate) use self::error::{DatabaseError, Error, Result};
pub(crate) use self::in_list::{LIST_LEN, in_list, padded};
pub(crate) use self::session::{Row, Session, Value};
use self::worker::Worker;
use crate::config;

/// Timeout for getting a connection, SQLite's lock, or a place in the queue.
const WAIT_TIMEOUT: Duration = Duration::from_secs(5);

/// Migrations in their order, for both SQLite and PostgreSQL. A released migration must never
/// change, not even in a comment: PostgreSQL's migrator compares checksums.
const MIGRATIONS: [(&str, &str); 5] = [
    ("attempts", include_str!("migrations/1_attempts.sql")),
    ("tracking", include_str!("migrations/2_tracking.sql")),
    ("merchant", include_str!("migrations/3_merchant.sql")),
    ("endings", include_str!("migrations/4_endings.sql")),
    ("surplus", include_str!("migrations/5_surplus.sql")),
];

/// An open database.
#[derive(Clone)]
pub(crate) enum Database {
    Sqlite {
        /// The only connection that writes, because SQLite allows one writer.
        writer: Worker,
        /// A second connection for reads, which don't wait for commits. In memory it is the writer,
        /// because each connection to memory is a database of its own.
        reader: Worker,
    },
    Postgres(PgPool),
}

impl Database {
    /// Connects and migrates the tables.
    pub(crate) async fn open(config: &config::Database) -> Result<Self, DatabaseError> {
        match config {
            config::Database::Memory => sqlite::open(None).await,
            config::Database::File(path) => sqlite::open(Some(path)).await,
            config::Database::Postgres(url) => Ok(Self::Postgres(postgres::open(url).await?)),
        }
    }

    /// Runs a job in a transaction. On success the writes are on disk; on an error none of them is
    /// kept.
    pub(crate) async fn transaction<T, E>(
        &self,
        job: impl for<'s> FnOnce(&'s mut Session) -> BoxFuture<'s, Result<T, E>> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        match self {
            Self::Sqlite { writer, .. } => writer.run(job).await,
            Self::Postgres(pool) => {
                let transaction = pool.begin().await.map_err(Error::from)?;
                let mut session = Session::Transaction(transaction);
                let done = job(&mut session).await?;
                session.commit().await?;
                Ok(done)
            }
        }
    }

    /// Runs a read-only job outside a transaction.
    pub(crate) async fn read<T, E>(
        &self,
        job: impl for<'s> FnOnce(&'s mut Session) -> BoxFuture<'s, Result<T, E>> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        match self {
            Self::Sqlite { reader, .. } => reader.run(job).await,
            Self::Postgres(pool) => {
                let connection = pool.acquire().await.map_err(Error::from)?;
                job(&mut Session::Connection(connection)).await
            }
        }
    }

    /// The time of the database's clock.
    pub(crate) async fn clock(&self) -> Result<Clock> {
        match self {
            Self::Sqlite { .. } => Ok(Clock::local()),
            Self::Postgres(_) => self.read(|session| Box::pin(session.clock())).await,
        }
    }

    /// Checks that the database can be used.
    pub(crate) async fn ready(&self) -> Result<()> {
        self.read(|session| {
            Box::pin(async {
                session
                    .number("SELECT 1 + 0 * $1", &[0.into()])
                    .await
                    .map(drop)
            })
        })
        .await
    }
}
