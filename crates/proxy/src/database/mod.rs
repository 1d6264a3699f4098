//! The database of all that outlives the process: SQLite inside the program, or PostgreSQL for several
//! instances.
//!
//! What is done with it comes as a job: a piece of work that reads and writes in a [`Session`], and of
//! which everything is kept or nothing. Jobs and their statements are written once for both databases.
//!
//! | file | what it holds |
//! |---|---|
//! | `session` | statements, values and rows |
//! | `worker` | a thread with a connection to SQLite, where jobs that wait share a commit |
//! | `checkpoints` | a thread that brings SQLite's log over to its file |
//! | `sqlite`, `postgres` | how each is opened and brought to this version |
//! | `many` | statements about many rows at once |
//! | `clock` | what time it is there |

mod checkpoints;
mod clock;
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
pub(crate) use self::error::{DatabaseError, Error, Result};
pub(crate) use self::in_list::{LIST_LEN, in_list, padded};
pub(crate) use self::session::{Row, Session, Value};
use self::worker::Worker;
use crate::config;

/// How long to wait for a connection, for SQLite's lock, and for room in the queue.
const WAIT_TIMEOUT: Duration = Duration::from_secs(5);

/// The changes of the tables in their order, for SQLite and PostgreSQL alike.
const MIGRATIONS: [(&str, &str); 3] = [
    ("ledger", include_str!("migrations/1_ledger.sql")),
    ("following", include_str!("migrations/2_following.sql")),
    ("merchant", include_str!("migrations/3_merchant.sql")),
];

/// The database, however it is reached.
#[derive(Clone)]
pub(crate) enum Database {
    Sqlite {
        /// One connection: SQLite has one writer.
        writer: Worker,
        /// Another for who only looks and need not wait for a commit; the same in memory, where a
        /// database is its connection.
        reader: Worker,
    },
    Postgres(PgPool),
}

impl Database {
    /// Connects, and makes or changes the tables as this version needs them.
    pub(crate) async fn open(config: &config::Database) -> Result<Self, DatabaseError> {
        match config {
            config::Database::Memory => sqlite::open(None).await,
            config::Database::File(path) => sqlite::open(Some(path)).await,
            config::Database::Postgres(url) => Ok(Self::Postgres(postgres::open(url).await?)),
        }
    }

    /// Does a job in a transaction. What it answers is on the disk; where it answers with an error,
    /// nothing of it is kept.
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

    /// Does a job that only reads, without a transaction.
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

    /// What the database's clock says.
    pub(crate) async fn clock(&self) -> Result<Clock> {
        match self {
            Self::Sqlite { .. } => Ok(Clock::local()),
            Self::Postgres(_) => self.read(|session| Box::pin(session.clock())).await,
        }
    }

    /// Does nothing, as a job: whether it can be used.
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
