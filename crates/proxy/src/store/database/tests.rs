//! Tests of the guarantees that jobs rely on, on each database.

use std::time::Duration;

use rusqlite::Connection;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _};
use tempfile::TempDir;
use tender_postgres::Server;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::*;

impl Database {
    pub(crate) fn is_postgres(&self) -> bool {
        matches!(self.engine, Engine::Postgres(_))
    }

    /// Executes a statement, with a number if it has a placeholder.
    pub(crate) async fn execute(&self, sql: &'static str, number: Option<i64>) {
        let query = number.map_or(query!(sql), |number| query!(sql, number));
        let done = self
            .transaction(move |mut session| Box::pin(async move { session.execute(query).await }));
        let done: Result<_> = done.await;
        done.unwrap();
    }
}

const SECRETS: &str = "SELECT COUNT(*) FROM secrets";

/// Inserts a secret with this name, then returns `then`.
async fn write(database: &Database, name: &str, then: Result<()>) -> Result<()> {
    let name = name.to_owned();
    let written = database.transaction(move |mut session| {
        Box::pin(async move {
            let sql = "INSERT INTO secrets (name, value) VALUES ($1, $1)";
            session.execute(query!(sql, name)).await?;
            then
        })
    });
    written.await
}

async fn count(database: &Database) -> i64 {
    let counted =
        database.read(|mut session| Box::pin(async move { session.number(query!(SECRETS)).await }));
    let counted: Result<_> = counted.await;
    counted.unwrap()
}

async fn each() -> ([Database; 3], TempDir) {
    let folder = TempDir::new().unwrap();
    let postgres = Server::shared().new_database().unwrap();
    let databases = [
        config::Database::Memory,
        config::Database::File(folder.path().join("tender.db")),
        postgres.parse().unwrap(),
    ];
    let [memory, file, postgres] = databases;
    let open = async |config| Database::open(&config).await.unwrap();
    let databases = [open(memory).await, open(file).await, open(postgres).await];
    (databases, folder)
}

#[tokio::test]
async fn failed_jobs_write_nothing_and_do_not_affect_others() {
    let (databases, _folder) = each().await;
    for database in databases {
        let mut jobs = JoinSet::new();
        for number in 0..40 {
            let database = database.clone();
            jobs.spawn(async move {
                let fails = number % 4 == 0;
                let then = if fails { Err(Error::Busy) } else { Ok(()) };
                let written = write(&database, &format!("{number}"), then).await;
                assert_eq!(written.is_err(), fails);
            });
        }
        jobs.join_all().await;
        assert_eq!(count(&database).await, 30);
        // A duplicate is reported as a unique violation.
        let again = write(&database, "1", Ok(())).await.unwrap_err();
        assert!(again.is_unique_violation(), "{again}");
        write(&database, "0", Ok(())).await.unwrap();
        assert_eq!(count(&database).await, 31);
    }
}

#[tokio::test]
async fn waiting_jobs_share_a_commit() {
    let folder = TempDir::new().unwrap();
    let file = config::Database::File(folder.path().join("tender.db"));
    let database = Database::open(&file).await.unwrap();
    // One job blocks the writer until all other jobs are queued.
    let (go, wait) = oneshot::channel::<()>();
    let (started, starting) = oneshot::channel();
    let holder = database.clone();
    let holding = tokio::spawn(async move {
        let held = holder.transaction(move |_| {
            started.send(()).unwrap();
            let _ = wait.blocking_recv();
            Box::pin(async { Ok::<_, Error>(()) })
        });
        held.await
    });
    starting.await.unwrap();
    let mut jobs = JoinSet::new();
    for number in 0..50 {
        let database = database.clone();
        jobs.spawn(async move { write(&database, &format!("{number}"), Ok(())).await });
    }
    let Engine::Sqlite { writer, .. } = &database.engine else {
        panic!("it is SQLite");
    };
    while writer.waiting() < 50 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // Another connection sees either none or all of the writes.
    let before = count(&database).await;
    go.send(()).unwrap();
    holding.await.unwrap().unwrap();
    let first = jobs.join_next().await;
    first.unwrap().unwrap().unwrap();
    assert_eq!((before, count(&database).await), (0, 50));
    while let Some(written) = jobs.join_next().await {
        written.unwrap().unwrap();
    }
}

#[tokio::test]
async fn instances_can_open_a_new_file_at_the_same_time() {
    for _ in 0..5 {
        let folder = TempDir::new().unwrap();
        let file = config::Database::File(folder.path().join("tender.db"));
        let open = (0..6).map(|_| Database::open(&file));
        for opened in futures_util::future::join_all(open).await {
            assert_eq!(count(&opened.unwrap()).await, 0);
        }
    }
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_not_opened() {
    let folder = TempDir::new().unwrap();
    let postgres = Server::shared().new_database().unwrap();
    let file = config::Database::File(folder.path().join("tender.db"));
    for (config, version) in [
        (file, "PRAGMA user_version = 99"),
        (
            postgres.parse().unwrap(),
            "UPDATE _sqlx_migrations SET version = 99
                WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)",
        ),
    ] {
        let database = Database::open(&config).await.unwrap();
        database.execute(version, None).await;
        let refused = Database::open(&config).await.err().unwrap();
        assert!(matches!(refused, DatabaseError::Newer { found: 99 }));
    }
}

#[tokio::test]
async fn a_locked_database_is_not_ready() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("tender.db");
    let file = config::Database::File(path.clone());
    let database = Database::open(&file).await.unwrap();
    database.check_write().await.unwrap();
    let other = Connection::open(path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = database.check_write().await.unwrap_err();
    assert!(refused.is_unavailable(), "{refused}");
    other.execute_batch("ROLLBACK").unwrap();
    database.check_write().await.unwrap();
}

#[tokio::test]
async fn a_database_with_a_locked_table_is_not_ready() {
    let address = Server::shared().new_database().unwrap();
    let database = Database::open(&address.parse().unwrap()).await.unwrap();
    let mut other = PgConnection::connect(&address).await.unwrap();
    for table in [
        "attempts",
        "attempt_keys",
        "payments",
        "payment_events",
        "polling",
    ] {
        database.check_write().await.unwrap();
        let lock = format!("LOCK TABLE {table} IN EXCLUSIVE MODE");
        other.execute("BEGIN").await.unwrap();
        other.execute(AssertSqlSafe(lock)).await.unwrap();
        let refused = database.check_write().await.unwrap_err();
        assert!(refused.is_unavailable(), "{table}: {refused}");
        other.execute("ROLLBACK").await.unwrap();
    }
}

#[tokio::test]
async fn a_database_without_its_tables_is_not_ready() {
    let (databases, _folder) = each().await;
    for database in databases {
        database.execute("DROP TABLE payment_events", None).await;
        let refused = database.check_write().await.unwrap_err();
        assert!(refused.is_unavailable(), "{refused}");
    }
}

/// A file that is deleted or moved stays open, and what is written to it is lost with the process.
#[cfg(unix)]
#[tokio::test]
async fn nothing_is_written_to_a_file_that_is_gone() {
    let folder = TempDir::new().unwrap();
    let [path, elsewhere] = ["tender.db", "moved.db"].map(|name| folder.path().join(name));
    let file = config::Database::File(path.clone());
    let database = Database::open(&file).await.unwrap();
    write(&database, "before", Ok(())).await.unwrap();
    let refused = async || {
        let refused = [
            write(&database, "after", Ok(())).await.unwrap_err(),
            database.check_write().await.unwrap_err(),
        ];
        for refused in refused {
            assert!(matches!(refused, Error::FileGone(_)), "{refused}");
            assert!(refused.is_unavailable() && refused.to_string().contains("tender.db"));
        }
    };
    std::fs::rename(&path, &elsewhere).unwrap();
    refused().await;
    // Another file took its place.
    std::fs::copy(&elsewhere, &path).unwrap();
    refused().await;
    // What was committed can be read, and the file can be put back.
    assert_eq!(count(&database).await, 1);
    std::fs::rename(&elsewhere, &path).unwrap();
    database.check_write().await.unwrap();
    write(&database, "after", Ok(())).await.unwrap();
    std::fs::remove_file(&path).unwrap();
    refused().await;
}

/// Checks that a database refuses writes, also to be ready, with an error that contains this text.
#[cfg(unix)]
async fn refuses(database: &Database, name: &str, text: &str) {
    for refused in [
        write(database, "refused", Ok(())).await.unwrap_err(),
        database.check_write().await.unwrap_err(),
    ] {
        assert!(refused.is_unavailable(), "{refused}");
        let refused = refused.to_string();
        assert!(
            refused.contains(name) && refused.contains(text),
            "{refused}"
        );
    }
}

#[cfg(unix)]
#[tokio::test]
async fn nothing_is_written_without_the_log_or_its_index() {
    for name in ["tender.db-wal", "tender.db-shm"] {
        let folder = TempDir::new().unwrap();
        // SQLite creates the log where the link leads.
        let [real, link] = ["real", "link.db"].map(|name| folder.path().join(name));
        std::fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(real.join("tender.db"), &link).unwrap();
        let file = config::Database::File(link);
        let database = Database::open(&file).await.unwrap();
        write(&database, "before", Ok(())).await.unwrap();
        let [path, elsewhere] = [name, "moved"].map(|name| real.join(name));
        std::fs::rename(&path, &elsewhere).unwrap();
        refuses(&database, name, "put the file back").await;
        // Another file took its place.
        std::fs::copy(&elsewhere, &path).unwrap();
        refuses(&database, name, "put the file back").await;
        std::fs::rename(&elsewhere, &path).unwrap();
        database.check_write().await.unwrap();
        write(&database, "after", Ok(())).await.unwrap();
        std::fs::remove_file(&path).unwrap();
        refuses(&database, name, "start it again").await;
        // As after the process was killed, nothing is lost.
        let killed = folder.path().join("killed.db");
        std::fs::copy(real.join("tender.db"), &killed).unwrap();
        if let Ok(log) = std::fs::read(real.join("tender.db-wal")) {
            std::fs::write(folder.path().join("killed.db-wal"), log).unwrap();
        }
        let killed = Database::open(&config::Database::File(killed)).await;
        assert_eq!(count(&killed.unwrap()).await, 2);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn nothing_is_written_after_the_log_was_truncated() {
    let folder = TempDir::new().unwrap();
    let [path, log] = ["tender.db", "tender.db-wal"].map(|name| folder.path().join(name));
    let file = config::Database::File(path.clone());
    let database = Database::open(&file).await.unwrap();
    write(&database, "before", Ok(())).await.unwrap();
    // Checkpoints by another program may empty the log, or let it start again in its old length.
    let other = Connection::open(path).unwrap();
    for (sql, is_empty) in [
        ("PRAGMA wal_checkpoint(TRUNCATE)", true),
        ("PRAGMA wal_checkpoint(RESTART)", false),
    ] {
        let busy = other.query_row(sql, [], |row| row.get(0));
        assert_eq!(
            (busy, log.metadata().unwrap().len() == 0),
            (Ok(0), is_empty)
        );
        database.check_write().await.unwrap();
        write(&database, sql, Ok(())).await.unwrap();
    }
    other
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .unwrap();
    write(&database, "after", Ok(())).await.unwrap();
    let open = std::fs::OpenOptions::new().write(true).open(&log).unwrap();
    for len in [log.metadata().unwrap().len() - 1, 0] {
        open.set_len(len).unwrap();
        refuses(&database, "tender.db-wal", "restore a backup").await;
    }
}

#[tokio::test]
async fn a_read_only_database_is_not_ready() {
    let postgres = Server::shared().new_database().unwrap();
    let database = Database::open(&postgres.parse().unwrap()).await.unwrap();
    database.check_write().await.unwrap();
    // For this connection, for later ones, and without the other ones.
    let read_only = database.transaction(|mut session| {
        Box::pin(async move {
            for sql in [
                "SET default_transaction_read_only = on",
                "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on',
                    current_database()); END $$",
                "SELECT CAST(pg_terminate_backend(pid) AS TEXT) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()",
            ] {
                session.execute(query!(sql)).await?;
            }
            Ok::<_, Error>(())
        })
    });
    read_only.await.unwrap();
    let refused = database.check_write().await.unwrap_err();
    assert!(refused.is_unavailable(), "{refused}");
}

#[tokio::test]
async fn a_full_disk_is_named() {
    let database = Database::open(&config::Database::Memory).await.unwrap();
    let max_pages = async |sql| {
        let set = database.transaction(move |mut session| {
            Box::pin(async move { session.number(query!(sql)).await })
        });
        let set: Result<_> = set.await;
        set.unwrap();
    };
    max_pages("PRAGMA max_page_count = 1").await;
    let long = "long".repeat(100_000);
    let full = write(&database, &long, Ok(())).await.unwrap_err();
    assert!(full.to_string().contains("free some space"), "{full}");
    assert!(full.is_unavailable());
    // The transaction was rolled back, and the connection can be used again.
    max_pages("PRAGMA max_page_count = 100000").await;
    write(&database, &long, Ok(())).await.unwrap();
    assert_eq!(count(&database).await, 1);
}

#[tokio::test]
async fn a_text_with_a_nul_character_can_be_stored_and_found() {
    let (databases, _folder) = each().await;
    for database in databases {
        write(&database, "a\0b", Ok(())).await.unwrap();
        write(&database, "ab", Ok(())).await.unwrap();
        let found = database.read(|mut session| {
            Box::pin(async move {
                let sql = "SELECT COUNT(*) FROM secrets WHERE name = $1";
                let one = session.number(query!(sql, "a\0b".to_owned())).await?;
                let sql = in_list!("SELECT COUNT(*) FROM secrets WHERE name", "");
                Ok::<_, Error>((one, session.number(query_list(sql, &["a\0b", "x"])).await?))
            })
        });
        assert_eq!(found.await.unwrap(), (1, 1));
    }
}
