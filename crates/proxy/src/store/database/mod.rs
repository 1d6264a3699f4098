//! The database: SQLite inside the program, or PostgreSQL for several instances.
//!
//! Work is passed to it as a job, which reads and writes in a [`Session`]. A job is a transaction:
//! all of its writes are kept, or none. Jobs and SQL statements are the same for both databases.
//!
//! | file | contents |
//! |---|---|
//! | `session` | statements, values and rows |
//! | `writer` | the connection that writes to SQLite, which commits waiting jobs together |
//! | `sqlite`, `postgres` | opening and migrating each database |
//! | `local_clock` | the clock of a SQLite database |
//! | `migrations` | the tables |

mod error;
mod local_clock;
mod postgres;
mod session;
mod sqlite;
#[cfg(test)]
mod tests;
mod writer;

use std::time::{Duration, Instant};

use moka::future::Cache;
use sqlx::AnyPool;

pub(crate) use self::error::{Error, OpenError, Result};
use self::local_clock::LocalClock;
pub(crate) use self::session::{
    FromRow, LIST_LEN, Query, Row, Session, Value, in_list, query, query_list, storable,
};
use self::writer::Writer;
use crate::clock::Clock;
use crate::config;
use crate::metrics::{DatabaseLatency, histograms};

/// Timeout for getting a connection or SQLite's lock.
const WAIT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a write may take until the database counts as not ready.
const READY_TIMEOUT: Duration = Duration::from_secs(2);

/// How long the result of that check is reused. Anybody may ask, and each check is a write.
const READY_FRESH: Duration = Duration::from_secs(1);

/// Writes nothing to each table that a create writes, but fails where a create would: if another program
/// has locked the table, or if it is missing.
const CREATE_WRITES: [&str; 5] = [
    "DELETE FROM attempts WHERE 1 = 0",
    "DELETE FROM attempt_keys WHERE 1 = 0",
    "DELETE FROM payments WHERE 1 = 0",
    "DELETE FROM payment_events WHERE 1 = 0",
    "DELETE FROM polling WHERE 1 = 0",
];

/// Migrations in their order, for both SQLite and PostgreSQL. A released migration must never
/// change, not even in a comment: PostgreSQL's migrator compares checksums.
const MIGRATIONS: [(&str, &str); 8] = [
    ("tables", include_str!("migrations/1_tables.sql")),
    ("outbox", include_str!("migrations/2_outbox.sql")),
    ("stages", include_str!("migrations/3_stages.sql")),
    (
        "signed order",
        include_str!("migrations/4_signed_order.sql"),
    ),
    ("follow", include_str!("migrations/5_follow.sql")),
    ("ledger", include_str!("migrations/6_ledger.sql")),
    ("released", include_str!("migrations/7_released.sql")),
    ("orders", include_str!("migrations/8_orders.sql")),
];

/// An open database. Clones share its connections.
#[derive(Clone)]
pub(crate) struct Database {
    engine: Engine,
    /// The time of each job is added to these metrics.
    pub(crate) latency: DatabaseLatency,
    /// The last check. All callers share it.
    readiness: Cache<(), Result<()>>,
}

#[derive(Clone)]
enum Engine {
    Sqlite {
        writer: Writer,
        /// Reads don't wait for commits, except in memory, which has only one connection.
        readers: Option<AnyPool>,
        clock: LocalClock,
    },
    Postgres(AnyPool),
}

impl Database {
    /// Connects and migrates the tables.
    pub(crate) async fn open(config: &config::Database) -> Result<Self, OpenError> {
        sqlx::any::install_default_drivers();
        let engine = match config {
            config::Database::Memory => sqlite::open(None).await?,
            config::Database::File(path) => sqlite::open(Some(path)).await?,
            config::Database::Postgres(url) => Engine::Postgres(postgres::open(url).await?),
        };
        Ok(Self {
            engine,
            latency: histograms(),
            readiness: Cache::builder().time_to_live(READY_FRESH).build(),
        })
    }

    /// Runs a job in a transaction. On success the writes are on disk; on an error none of them is
    /// kept.
    pub(crate) async fn transaction<T, E>(
        &self,
        job: impl AsyncFnOnce(&mut Session<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let begun = Instant::now();
        let done = match &self.engine {
            Engine::Sqlite { writer, clock, .. } => writer.run(clock, job).await,
            Engine::Postgres(pool) => postgres::transaction(pool, job).await,
        };
        self.observe("transaction", begun);
        done
    }

    /// Runs a read-only job outside a transaction.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        job: impl AsyncFnOnce(&mut Session<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let begun = Instant::now();
        let read = match &self.engine {
            Engine::Sqlite {
                writer,
                readers: None,
                clock,
            } => writer.run(clock, job).await,
            Engine::Sqlite {
                readers: Some(pool),
                clock,
                ..
            } => read_on(pool, Some(clock), job).await,
            Engine::Postgres(pool) => read_on(pool, None, job).await,
        };
        self.observe("read", begun);
        read
    }

    fn observe(&self, operation: &'static str, begun: Instant) {
        let times = self.latency.get_or_create(&[("operation", operation)]);
        times.observe(begun.elapsed().as_secs_f64());
    }

    /// Runs one statement in a transaction. Returns the number of affected rows.
    pub(crate) async fn write(&self, query: Query) -> Result<u64> {
        self.transaction(async move |session| session.execute(query).await)
            .await
    }

    /// Reads all rows of one statement.
    pub(crate) async fn rows<T: FromRow + 'static>(&self, query: Query) -> Result<Vec<T>> {
        self.read(async move |session| session.rows(query).await)
            .await
    }

    /// Reads the first row of one statement.
    pub(crate) async fn row<T: FromRow + 'static>(&self, query: Query) -> Result<Option<T>> {
        self.read(async move |session| session.row(query).await)
            .await
    }

    /// Reads the number in the only row and column of one statement.
    pub(crate) async fn number(&self, query: Query) -> Result<i64> {
        self.read(async move |session| session.number(query).await)
            .await
    }

    /// The time of the database's clock.
    pub(crate) async fn clock(&self) -> Result<Clock> {
        match &self.engine {
            Engine::Sqlite { clock, .. } => Ok(clock.now()),
            Engine::Postgres(_) => self.read(async move |session| session.clock().await).await,
        }
    }

    /// Whether the database can be written. All callers share a check per second.
    pub(crate) async fn ready(&self) -> Result<()> {
        self.readiness.get_with((), self.check_write()).await
    }

    /// Checks that the database can be written, within a limited time, with all tables that a create
    /// writes.
    pub(crate) async fn check_write(&self) -> Result<()> {
        let written = self.transaction(async move |session| {
            for write in CREATE_WRITES {
                session.execute(query!(write)).await?;
            }
            let now = session.clock().await?.now;
            let beat = query!("UPDATE heartbeat SET written_at = $1", now);
            session.execute(beat).await.map(drop)
        });
        let written = tokio::time::timeout(READY_TIMEOUT, written).await;
        written.unwrap_or(Err(Error::Busy))
    }
}

async fn read_on<T>(
    pool: &AnyPool,
    clock: Option<&LocalClock>,
    job: impl AsyncFnOnce(&mut Session<'_>) -> Result<T>,
) -> Result<T> {
    let mut connection = pool.acquire().await?;
    let connection = &mut *connection;
    job(&mut Session { connection, clock }).await
}

/// The tables were migrated by a newer version of this program.
fn newer(found: i64) -> OpenError {
    format!(
        "the tables have version {found}, which this program does not know; use a newer program"
    )
    .into()
}
