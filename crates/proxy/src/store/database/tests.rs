//! Tests of the guarantees that jobs rely on, on each database.

use std::time::Duration;

use tempfile::TempDir;
use tender_postgres::Server;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::*;

impl Database {
    /// Executes a statement, with a number if it has a placeholder.
    pub(crate) async fn execute(&self, sql: &'static str, number: Option<i64>) {
        let done = self.transaction(move |session| {
            Box::pin(async move {
                let values: Vec<_> = number.map(Value::from).into_iter().collect();
                session.execute(sql, &values).await
            })
        });
        let done: Result<_> = done.await;
        done.unwrap();
    }
}

const SECRETS: &str = "SELECT COUNT(*) FROM secrets";

/// Inserts a secret with this name, then returns `then`.
async fn write(database: &Database, name: &str, then: Result<()>) -> Result<()> {
    let name = name.to_owned();
    let written = database.transaction(move |session| {
        Box::pin(async move {
            let sql = "INSERT INTO secrets (name, value) VALUES ($1, $1)";
            session.execute(sql, &[(&name).into()]).await?;
            then
        })
    });
    written.await
}

async fn count(database: &Database) -> i64 {
    let counted = database.read(|session| Box::pin(session.number(SECRETS, &[])));
    counted.await.unwrap()
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
    let Database::Sqlite { writer, .. } = &database else {
        panic!("it is SQLite");
    };
    while writer.waiting() < 50 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let counter = || {
        let connection = rusqlite::Connection::open(folder.path().join("tender.db")).unwrap();
        let count = connection.query_row(SECRETS, [], |row| row.get(0));
        count.unwrap()
    };
    // Another connection sees either none or all of the writes.
    let before: i64 = counter();
    go.send(()).unwrap();
    holding.await.unwrap().unwrap();
    let first = jobs.join_next().await;
    first.unwrap().unwrap().unwrap();
    assert_eq!((before, counter()), (0, 50));
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
    let path = folder.path().join("tender.db");
    let file = config::Database::File(path.clone());
    drop(Database::open(&file).await.unwrap());
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    let refused = Database::open(&file).await.err().unwrap();
    assert!(matches!(refused, DatabaseError::Newer { found: 99, .. }));
}

/// Also after several checkpoints.
#[tokio::test]
async fn the_write_ahead_log_keeps_its_size() {
    let folder = TempDir::new().unwrap();
    let file = config::Database::File(folder.path().join("tender.db"));
    let database = Database::open(&file).await.unwrap();
    let length = || {
        let log = folder.path().join("tender.db-wal");
        log.metadata().unwrap().len()
    };
    let at_first = length();
    assert!(at_first >= 16 << 20, "{at_first}");
    let mut jobs = JoinSet::new();
    for number in 0..2000 {
        let database = database.clone();
        jobs.spawn(async move { write(&database, &format!("{number}"), Ok(())).await });
    }
    while let Some(written) = jobs.join_next().await {
        written.unwrap().unwrap();
    }
    assert_eq!(length(), at_first);
    assert_eq!(count(&database).await, 2000);
    // The filler table is gone.
    let tables = "SELECT COUNT(*) FROM sqlite_master WHERE name = 'filler'";
    let left: Result<_> = database
        .read(|session| Box::pin(session.number(tables, &[])))
        .await;
    assert_eq!(left.unwrap(), 0);
}
