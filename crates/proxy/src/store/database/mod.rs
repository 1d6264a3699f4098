//! The database: SQLite inside the program, or PostgreSQL for several instances.
//!
//! Statements are executed in a [`Session`]. One that was begun is a transaction: all of its writes are kept by
//! [`commit`](Session::commit), or none. SQL statements are the same for both databases.
//!
//! A transaction locks rows in one order, so that no two of them wait for each other in PostgreSQL: attempts by ascending id, what hangs
//! on an attempt (keys, marks), then [`polling`](crate::store::payments::lock), and then everything else. What has no place in this
//! order (the notifications of the service, the rows of the outbox that are pruned) is written in a transaction of its own, or before.

mod age;
mod commits;
mod error;
mod local_clock;
mod postgres;
mod session;
mod sqlite;
#[cfg(test)]
mod tests;
mod writer;

use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::time::Duration;

use moka::future::Cache;
use sqlx::AnyPool;

pub(crate) use self::commits::Commits;
pub(crate) use self::error::{Error, OpenError, Result, undecodable};
use self::local_clock::LocalClock;
pub(crate) use self::postgres::unverified;
use self::session::{Connection, Timer};
pub(crate) use self::session::{
    LIST_LEN, Query, ReadRow, Session, Value, in_list, query, query_list,
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
const MIGRATIONS: [(&str, &str); 20] = [
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
    ("order money", include_str!("migrations/9_order_money.sql")),
    ("answers", include_str!("migrations/10_answers.sql")),
    (
        "contradictions",
        include_str!("migrations/11_contradictions.sql"),
    ),
    ("resend", include_str!("migrations/12_resend.sql")),
    ("changed", include_str!("migrations/13_changed.sql")),
    ("marks", include_str!("migrations/14_marks.sql")),
    ("age", include_str!("migrations/15_age.sql")),
    ("unused", include_str!("migrations/16_unused.sql")),
    ("erased", include_str!("migrations/17_erased.sql")),
    ("late", include_str!("migrations/18_late.sql")),
    (
        "notifications",
        include_str!("migrations/19_notifications.sql"),
    ),
    ("restores", include_str!("migrations/20_restores.sql")),
];

/// An open database. Clones share its connections.
#[derive(Clone)]
pub(crate) struct Database {
    engine: Engine,
    /// The clock of a SQLite database; PostgreSQL has its own.
    clock: Option<LocalClock>,
    /// How far ages are behind the database's clock.
    lag: Arc<AtomicI64>,
    /// The time of each session is added to these metrics.
    pub(crate) latency: DatabaseLatency,
    /// The last check. All callers share it.
    readiness: Cache<(), Result<()>>,
}

#[derive(Clone)]
enum Engine {
    Sqlite { writer: Writer, readers: Readers },
    Postgres(AnyPool),
}

/// Connections to SQLite that read, so that reads don't wait for commits.
#[derive(Clone)]
enum Readers {
    Pool(AnyPool),
    /// In memory, where each connection is a database of its own: the writer reads.
    Writer,
    /// For a simulation: the library's pool has tasks and times of its own. `None` once it was closed.
    #[cfg(test)]
    One(Arc<tokio::sync::Mutex<Option<sqlx::AnyConnection>>>),
}

impl Database {
    /// Connects and migrates the tables.
    pub(crate) async fn open(config: &config::Database) -> Result<Self, OpenError> {
        sqlx::any::install_default_drivers();
        let (engine, clock) = match config {
            config::Database::Memory => sqlite::open(None).await?,
            config::Database::File(path) => sqlite::open(Some(path)).await?,
            config::Database::Postgres(url) => (Engine::Postgres(postgres::open(url).await?), None),
        };
        Ok(Self::new(engine, clock))
    }

    /// A SQLite file for a simulation.
    #[cfg(test)]
    pub(crate) async fn open_simulated(path: &std::path::Path) -> Result<Self, OpenError> {
        sqlx::any::install_default_drivers();
        let (engine, clock) = sqlite::open_simulated(path).await?;
        Ok(Self::new(engine, clock))
    }

    /// Closes the connections. If they are the last ones, SQLite moves its write-ahead log into the database file.
    pub(crate) async fn close(&self) -> sqlx::Result<()> {
        let (writer, readers) = match &self.engine {
            Engine::Sqlite { writer, readers } => (writer, readers),
            Engine::Postgres(pool) => {
                pool.close().await;
                return Ok(());
            }
        };
        match readers {
            Readers::Pool(pool) => pool.close().await,
            Readers::Writer => {}
            #[cfg(test)]
            Readers::One(reader) => {
                let reader = reader.lock().await.take();
                sqlx::Connection::close(reader.ok_or(sqlx::Error::PoolClosed)?).await?;
            }
        }
        writer.close().await
    }

    fn new(engine: Engine, clock: Option<LocalClock>) -> Self {
        Self {
            engine,
            clock,
            lag: Arc::default(),
            latency: histograms(),
            readiness: Cache::builder().time_to_live(READY_FRESH).build(),
        }
    }

    pub(crate) async fn begin(&self) -> Result<Session> {
        let timer = Timer::new(&self.latency, "transaction");
        let connection = match &self.engine {
            Engine::Sqlite { writer, .. } => Connection::Turn(writer.begin().await?),
            Engine::Postgres(pool) => Connection::Transaction(pool.begin().await?),
        };
        Ok(Session::new(connection, self.clone(), timer))
    }

    /// A session outside a transaction, which only reads.
    pub(crate) async fn reader(&self) -> Result<Session> {
        let timer = Timer::new(&self.latency, "read");
        let connection = match &self.engine {
            Engine::Sqlite {
                readers: Readers::Pool(pool),
                ..
            }
            | Engine::Postgres(pool) => Connection::Reader(pool.acquire().await?),
            #[cfg(test)]
            Engine::Sqlite {
                readers: Readers::One(reader),
                ..
            } => Connection::One(Arc::clone(reader).lock_owned().await),
            Engine::Sqlite { writer, .. } => Connection::Turn(writer.begin().await?),
        };
        Ok(Session::new(connection, self.clone(), timer))
    }

    /// Runs one statement in a transaction. Returns the number of affected rows.
    pub(crate) async fn write(&self, query: Query) -> Result<u64> {
        let mut session = self.begin().await?;
        let affected = session.execute(query).await?;
        session.commit().await?;
        Ok(affected)
    }

    pub(crate) async fn rows<T: ReadRow>(&self, query: Query) -> Result<Vec<T>> {
        self.reader().await?.rows(query).await
    }

    /// Reads the first row of one statement.
    pub(crate) async fn row<T: ReadRow>(&self, query: Query) -> Result<Option<T>> {
        self.reader().await?.row(query).await
    }

    /// Reads the number in the only row and column of one statement.
    pub(crate) async fn number(&self, query: Query) -> Result<i64> {
        self.reader().await?.number(query).await
    }

    pub(crate) fn commits(&self) -> Commits {
        Commits(match &self.engine {
            Engine::Sqlite { writer, .. } => Some(writer.commits()),
            Engine::Postgres(_) => None,
        })
    }

    /// The time of the database's clock.
    pub(crate) async fn clock(&self) -> Result<Clock> {
        match &self.clock {
            Some(clock) => Ok(clock.now(self.lag())),
            None => self.reader().await?.clock().await,
        }
    }

    /// Whether the database can be written. All callers share a check per second.
    pub(crate) async fn ready(&self) -> Result<()> {
        self.readiness.get_with((), self.check_write()).await
    }

    /// Checks that the database can be written, within a limited time, with all tables that a create
    /// writes.
    pub(crate) async fn check_write(&self) -> Result<()> {
        let writing = async {
            let mut session = self.begin().await?;
            for write in CREATE_WRITES {
                session.execute(query!(write)).await?;
            }
            let now = session.clock().await?.now;
            let beat = query!("UPDATE heartbeat SET written_at = $1", now);
            session.execute(beat).await?;
            session.commit().await
        };
        let written = tokio::time::timeout(READY_TIMEOUT, writing).await;
        written.unwrap_or(Err(Error::Busy))
    }
}

/// Waits for a statement, which a thread of the library executes.
async fn executed<T>(statement: impl Future<Output = T>) -> T {
    #[cfg(test)]
    let statement = crate::simulation::doors::in_place(statement);
    statement.await
}

/// The tables were migrated by a newer version of this program.
fn newer(found: i64) -> OpenError {
    format!(
        "the tables have version {found}, which this program does not know; use a newer program"
    )
    .into()
}
