//! The connection to the database, and the few things in which SQLite and PostgreSQL differ.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{Any, AnyConnection, AnyPool, Executor, SqlSafeStr, Transaction};

use super::statements;
use crate::config;

/// A point in time: milliseconds since 1970 on the database's clock.
pub(crate) type Millis = i64;

/// How long to wait for a connection, and for SQLite's lock.
const PATIENCE: Duration = Duration::from_secs(5);

/// Connections to PostgreSQL, of which a server has 100 by default.
const CONNECTIONS: u32 = 10;

/// What the database's clock said, and when on this machine's clock it was asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    pub(crate) now: Millis,
    /// Before the question, so that what is reckoned from here is over no later than there.
    pub(crate) asked: Instant,
}

impl Clock {
    /// When that is on this machine's clock.
    pub(crate) fn instant(self, then: Millis) -> Instant {
        let ahead = u64::try_from(then.saturating_sub(self.now)).unwrap_or(0);
        self.asked + Duration::from_millis(ahead)
    }

    pub(crate) fn before(self, duration: Duration) -> Millis {
        self.now.saturating_sub(millis(duration))
    }

    pub(crate) fn after(self, duration: Duration) -> Millis {
        self.now.saturating_add(millis(duration))
    }
}

pub(crate) fn millis(duration: Duration) -> Millis {
    Millis::try_from(duration.as_millis()).unwrap_or(Millis::MAX)
}

/// Why the database can't be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DatabaseError {
    /// The file can't be made.
    #[error("{0}")]
    File(#[from] io::Error),
    /// The database refuses, or can't be reached.
    #[error("{0}")]
    Connect(#[from] sqlx::Error),
    /// Its tables are not those of this program.
    #[error("its tables can't be brought to this version: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Sqlite,
    Postgres,
}

/// The database of all that outlives the process.
#[derive(Clone)]
pub(crate) struct Database {
    pub(crate) pool: AnyPool,
    kind: Kind,
}

impl Database {
    /// Connects, and makes or changes the tables as this version needs them.
    pub(super) async fn open(config: &config::Database) -> Result<Self, DatabaseError> {
        sqlx::any::install_default_drivers();
        if let config::Database::File(path) = config {
            make_private(path)?;
        }
        let kind = match config {
            config::Database::Memory | config::Database::File(_) => Kind::Sqlite,
            config::Database::Postgres(_) => Kind::Postgres,
        };
        let options: AnyConnectOptions = config.url().parse()?;
        let pool = match kind {
            // One connection: SQLite has one writer, and a database in memory is its connection.
            Kind::Sqlite => AnyPoolOptions::new()
                .max_connections(1)
                .idle_timeout(None)
                .max_lifetime(None)
                .after_connect(|connection, _| Box::pin(set_up_sqlite(connection))),
            Kind::Postgres => AnyPoolOptions::new().max_connections(CONNECTIONS),
        };
        let pool = pool.acquire_timeout(PATIENCE).connect_with(options).await?;
        let database = Self { pool, kind };
        database.migrate().await?;
        Ok(database)
    }

    /// Instances that start at the same time wait for each other: in PostgreSQL for the migrator's
    /// advisory lock, in SQLite for the write lock, which its migrator does without.
    async fn migrate(&self) -> Result<(), DatabaseError> {
        let migrations = [
            ("ledger", include_str!("migrations/1_ledger.sql")),
            ("following", include_str!("migrations/2_following.sql")),
            ("merchant", include_str!("migrations/3_merchant.sql")),
        ];
        let migrations = (1..).zip(migrations).map(|(version, (name, sql))| {
            let sql = sql.into_sql_str();
            Migration::new(version, name.into(), MigrationType::Simple, sql, false)
        });
        let migrator = Migrator::with_migrations(migrations.collect());
        match self.kind {
            Kind::Sqlite => {
                let mut transaction = self.begin().await?;
                // What `run` does: with a transaction, `run` is not `Send` (rust-lang/rust#64552).
                migrator.run_direct(None, &mut *transaction, false).await?;
                transaction.commit().await?;
            }
            Kind::Postgres => migrator.run(&self.pool).await?,
        }
        Ok(())
    }

    /// Begins a transaction that writes.
    pub(crate) async fn begin(&self) -> sqlx::Result<Transaction<'static, Any>> {
        match self.kind {
            // With the write lock from the start: one who reads first may be refused it later.
            Kind::Sqlite => self.pool.begin_with("BEGIN IMMEDIATE").await,
            Kind::Postgres => self.pool.begin().await,
        }
    }

    pub(crate) async fn clock(&self) -> sqlx::Result<Clock> {
        let asked = Instant::now();
        let clock = match self.kind {
            Kind::Sqlite => statements::SQLITE_CLOCK,
            Kind::Postgres => statements::POSTGRES_CLOCK,
        };
        let now = sqlx::query_scalar(clock).fetch_one(&self.pool).await?;
        Ok(Clock { now, asked })
    }
}

/// What is committed is on the disk, also when the machine loses power: `synchronous = FULL` syncs
/// the write-ahead log at every commit.
async fn set_up_sqlite(connection: &mut AnyConnection) -> sqlx::Result<()> {
    // First of all, as the next one may have to wait for another instance.
    connection.execute("PRAGMA busy_timeout = 5000").await?;
    connection.execute("PRAGMA journal_mode = WAL").await?;
    connection.execute("PRAGMA synchronous = FULL").await?;
    connection.execute("PRAGMA foreign_keys = ON").await?;
    Ok(())
}

/// Makes the file, so that its owner alone can read it: it holds buyers' names and the receipts' key.
/// SQLite gives the files beside it the same mode.
fn make_private(path: &Path) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}
