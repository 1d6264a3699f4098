//! SQLite inside the program, for one instance.

use std::path::Path;
use std::time::{Duration, Instant};
use std::{io, thread};

use rusqlite::{Connection, ErrorCode, TransactionBehavior};

use super::local_clock::LocalClock;
use super::open_files::OpenFile;
use super::open_files::OpenFiles;
use super::worker::{Mode, Worker};
use super::{DatabaseError, Engine, Error, MIGRATIONS, WAIT_TIMEOUT};

/// Size of the prepared-statement cache: larger than the number of statements.
const STATEMENTS: usize = 64;

/// Size of the writer's page cache, in KiB. Digests and the service's ids are indexed, so each create writes to pages anywhere
/// in these indexes, and most of them should be in memory.
const CACHE_KIB: i64 = 32 << 10;

/// Number of pages in the write-ahead log from which on a commit copies them to the database. A page that was written
/// several times since is copied once, and the log is synced once.
const CHECKPOINT_PAGES: i64 = 4000;

/// How long an instance waits for others that are opening the same file, even on a slow disk.
const OPEN_TIMEOUT: Duration = Duration::from_secs(30);

/// Pause between two tries where SQLite does not wait by itself.
const PAUSE: Duration = Duration::from_millis(10);

/// The latest time at which anything was stored.
const LATEST_TIME: &str = "
    SELECT MAX(latest) FROM (
        SELECT COALESCE(MAX(called_at), 0) AS latest FROM attempts
        UNION ALL SELECT COALESCE(MAX(written_at), 0) FROM payment_events
        UNION ALL SELECT COALESCE(MAX(received_at), 0) FROM notifications
        UNION ALL SELECT begun_at FROM polling
        UNION ALL SELECT written_at FROM heartbeat)";

/// Opens a file, or a database in memory.
pub(super) async fn open(path: Option<&Path>) -> Result<Engine, DatabaseError> {
    let path = path.map(Path::to_owned);
    // Waiting for another instance would block the runtime.
    let opening = tokio::task::spawn_blocking(move || open_and_wait(path.as_deref()));
    opening.await.map_err(io::Error::other)?
}

fn open_and_wait(path: Option<&Path>) -> Result<Engine, DatabaseError> {
    if let Some(path) = path {
        make_private(path)?;
    }
    let mut connection = connect(path)?;
    let file = path.map(OpenFile::new).transpose()?;
    migrate(&mut connection)?;
    let files = file
        .map(|file| OpenFiles::new(file, &connection))
        .transpose()?;
    let latest = connection.query_row(LATEST_TIME, [], |row| row.get(0));
    let clock = LocalClock::starting_from(latest.map_err(Error::from)?);
    connection.busy_timeout(WAIT_TIMEOUT).map_err(Error::from)?;
    let set = |name, value| connection.pragma_update(None, name, value);
    set("cache_size", -CACHE_KIB).map_err(Error::from)?;
    set("wal_autocheckpoint", CHECKPOINT_PAGES).map_err(Error::from)?;
    let writer = Worker::start(
        "database-writer",
        connection,
        clock.clone(),
        Mode::ReadWrite(files),
    )?;
    // Each connection to memory is a database of its own.
    let reader = if path.is_none() {
        writer.clone()
    } else {
        let connection = connect(path)?;
        let read_only = connection.pragma_update(None, "query_only", true);
        read_only.map_err(Error::from)?;
        Worker::start("database-reader", connection, clock.clone(), Mode::ReadOnly)?
    };
    Ok(Engine::Sqlite {
        writer,
        reader,
        clock,
    })
}

fn connect(path: Option<&Path>) -> Result<Connection, Error> {
    let connection = match path {
        Some(path) => Connection::open(path)?,
        None => Connection::open_in_memory()?,
    };
    set_up(&connection)?;
    Ok(connection)
}

/// Sets up a connection. `synchronous = FULL` syncs the write-ahead log at every commit, so that
/// committed data survives a power failure.
fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    // Must come first: the following statements may wait for another instance.
    connection.busy_timeout(OPEN_TIMEOUT)?;
    enable_wal(connection)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Keeps rollback data of failed jobs in memory, not in a temporary file.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(())
}

/// Turns on the write-ahead log.
///
/// In a new file this upgrades a lock. To avoid a deadlock between two connections, SQLite then
/// fails with `SQLITE_BUSY` instead of waiting, so the statement is retried.
fn enable_wal(connection: &Connection) -> rusqlite::Result<()> {
    let deadline = Instant::now() + OPEN_TIMEOUT;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error) if is_busy(&error) && Instant::now() < deadline => thread::sleep(PAUSE),
            set => return set,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

/// Migrates the tables. Their version is stored as `user_version`. Instances that start at the same
/// time wait for each other.
fn migrate(connection: &mut Connection) -> Result<(), DatabaseError> {
    let migrated = (|| {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let found = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
        for (version, (_, sql)) in (1..).zip(MIGRATIONS) {
            if version > found {
                transaction.execute_batch(sql)?;
                transaction.pragma_update(None, "user_version", version)?;
            }
        }
        transaction.commit()?;
        Ok(found)
    })();
    let found: i64 = migrated.map_err(|error: rusqlite::Error| Error::from(error))?;
    match i64::try_from(MIGRATIONS.len()) {
        Ok(known) if found > known => Err(DatabaseError::Newer { found }),
        _ => Ok(()),
    }
}

/// Creates the file with access for its owner only, because it contains buyers' names and the
/// receipt key. SQLite creates its other files with the same mode.
fn make_private(path: &Path) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}
