//! SQLite inside the program, for one instance.

use std::path::Path;

use reqwest::Url;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::{AnyConnection, AnyPool, Connection as _, Executor as _};

use super::local_clock::LocalClock;
use super::writer::Writer;
use super::{Engine, MIGRATIONS, OpenError, Readers, WAIT_TIMEOUT, newer};

/// Connections that read, beside the one that writes.
const READERS: u32 = 2;

/// Set up each connection. `synchronous = FULL` syncs the write-ahead log at every commit, so that committed data
/// survives a power failure. Data for rolling back stays in memory. The time-out in milliseconds also covers other
/// instances that are opening the same file, even on a slow disk.
const SET_UP: &str = "
    PRAGMA busy_timeout = 30000; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
    PRAGMA temp_store = MEMORY";

const SET_UP_READER: &str = "PRAGMA query_only = ON; PRAGMA busy_timeout = 5000";

/// For the writer. Digests and the service's ids are indexed, so each create writes to pages anywhere in these
/// indexes, and most of them should be in its cache, of 32 MiB. A page that was written several times since the
/// last checkpoint is copied once, and the log is synced once, so a checkpoint waits for 4000 pages.
const SET_UP_WRITER: &str = "
    PRAGMA busy_timeout = 5000; PRAGMA cache_size = -32768; PRAGMA wal_autocheckpoint = 4000";

/// The latest time at which anything was stored.
const LATEST_TIME: &str = "
    SELECT MAX(latest) FROM (
        SELECT COALESCE(MAX(called_at), 0) AS latest FROM attempts
        UNION ALL SELECT COALESCE(MAX(written_at), 0) FROM payment_events
        UNION ALL SELECT COALESCE(MAX(first_at), 0) FROM notifications
        UNION ALL SELECT begun_at FROM polling
        UNION ALL SELECT written_at FROM heartbeat)";

/// Opens a file, or a database in memory.
pub(super) async fn open(path: Option<&Path>) -> Result<(Engine, Option<LocalClock>), OpenError> {
    let options = match path {
        Some(path) => options(path)?,
        None => "sqlite::memory:".parse()?,
    };
    let (writer, clock) = writer(&options).await?;
    let readers = match path {
        Some(_) => Readers::Pool(readers(options).await?),
        None => Readers::Writer,
    };
    Ok((Engine::Sqlite { writer, readers }, Some(clock)))
}

/// Opens a file, with one connection that reads.
#[cfg(test)]
pub(super) async fn open_simulated(path: &Path) -> Result<(Engine, Option<LocalClock>), OpenError> {
    let options = options(path)?;
    let (writer, clock) = writer(&options).await?;
    let mut reader = AnyConnection::connect_with(&options).await?;
    reader.execute(SET_UP).await?;
    reader.execute(SET_UP_READER).await?;
    let readers = Readers::One(std::sync::Arc::new(Some(reader).into()));
    Ok((Engine::Sqlite { writer, readers }, Some(clock)))
}

/// The connection that writes. The tables are migrated.
async fn writer(options: &AnyConnectOptions) -> Result<(Writer, LocalClock), OpenError> {
    let mut connection = AnyConnection::connect_with(options).await?;
    connection.execute(SET_UP).await?;
    connection.execute("PRAGMA journal_mode = WAL").await?;
    migrate(&mut connection).await?;
    connection.execute(SET_UP_WRITER).await?;
    let clock = LocalClock::starting_from(number(&mut connection, LATEST_TIME).await?);
    Ok((Writer::new(connection), clock))
}

/// Creates the file with access for its owner only, because it contains buyers' names and the
/// receipt key. SQLite creates its other files with the same mode.
fn options(path: &Path) -> Result<AnyConnectOptions, OpenError> {
    let mut file = std::fs::OpenOptions::new();
    file.append(true).create(true);
    std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o600);
    file.open(path)?;
    // Encodes the characters that have a meaning in an address.
    let url = Url::from_file_path(path.canonicalize()?).map_err(|()| "its path is invalid")?;
    Ok(url.as_str().replacen("file:", "sqlite:", 1).parse()?)
}

async fn readers(options: AnyConnectOptions) -> Result<AnyPool, OpenError> {
    let pool = AnyPoolOptions::new()
        .max_connections(READERS)
        .acquire_timeout(WAIT_TIMEOUT)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .after_connect(|connection, _| {
            Box::pin(async move {
                connection.execute(SET_UP).await?;
                connection.execute(SET_UP_READER).await.map(drop)
            })
        });
    Ok(pool.connect_with(options).await?)
}

/// Migrates the tables. Their version is stored as `user_version`, because sqlx's migrator has no lock for
/// SQLite: here, instances that start at the same time wait for each other.
async fn migrate(connection: &mut AnyConnection) -> Result<(), OpenError> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let found = number(&mut transaction, "PRAGMA user_version").await?;
    for (version, (_, sql)) in (1..).zip(MIGRATIONS) {
        if version > found {
            transaction.execute(sql).await?;
            let set = format!("PRAGMA user_version = {version}");
            transaction.execute(sqlx::AssertSqlSafe(set)).await?;
        }
    }
    transaction.commit().await?;
    match i64::try_from(MIGRATIONS.len()) {
        Ok(known) if found > known => Err(newer(found)),
        _ => Ok(()),
    }
}

/// The number in the only row and column.
async fn number(connection: &mut AnyConnection, sql: &'static str) -> sqlx::Result<i64> {
    sqlx::query_scalar(sql).fetch_one(connection).await
}
