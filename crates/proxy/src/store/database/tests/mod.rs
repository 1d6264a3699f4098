//! Tests of the guarantees that jobs rely on, on each database.

use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};

use super::*;
use crate::store::testing::{in_file, postgres};

mod readiness;

impl Database {
    pub(crate) fn is_postgres(&self) -> bool {
        matches!(self.engine, Engine::Postgres(_))
    }
}

const SECRETS: &str = "SELECT COUNT(*) FROM secrets";

/// Inserts a secret with this name, then returns `then`.
async fn write(database: &Database, name: &str, then: Result<()>) -> Result<()> {
    let mut session = database.begin().await?;
    let sql = "INSERT INTO secrets (name, value) VALUES ($1, $1)";
    session.execute(query!(sql, name)).await?;
    then?;
    session.commit().await
}

async fn count(database: &Database) -> i64 {
    database.number(query!(SECRETS)).await.unwrap()
}

async fn each() -> ([Database; 3], TempDir) {
    let folder = TempDir::new().unwrap();
    let open = async |config| Database::open(&config).await.unwrap();
    let databases = [
        open(config::Database::Memory).await,
        open(in_file(&folder)).await,
        open(postgres()).await,
    ];
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
        // A duplicate is no reason to try again.
        let again = write(&database, "1", Ok(())).await.unwrap_err();
        assert!(matches!(again, Error::Taken(_)), "{again}");
        write(&database, "0", Ok(())).await.unwrap();
        assert_eq!(count(&database).await, 31);
    }
}

/// Occupies the writer of a SQLite database until it is told to go on. The task then writes a secret.
async fn occupy(database: &Database) -> (oneshot::Sender<()>, JoinHandle<Result<()>>) {
    let (go, wait) = oneshot::channel::<()>();
    let (started, starting) = oneshot::channel();
    let database = database.clone();
    let holding = tokio::spawn(async move {
        let mut session = database.begin().await?;
        let sql = "INSERT INTO secrets (name, value) VALUES ('held', '')";
        session.execute(query!(sql)).await?;
        started.send(()).unwrap();
        let _ = wait.await;
        session.commit().await
    });
    starting.await.unwrap();
    (go, holding)
}

/// Writes this many secrets, each in a task that waits for its turn.
async fn begin_writes(database: &Database, number: usize) -> JoinSet<Result<()>> {
    let mut jobs = JoinSet::new();
    for number in 0..number {
        let database = database.clone();
        jobs.spawn(async move { write(&database, &format!("{number}"), Ok(())).await });
    }
    // Nothing else wakes the tasks of this thread.
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }
    jobs
}

#[tokio::test]
async fn waiting_jobs_share_a_commit() {
    let folder = TempDir::new().unwrap();
    let database = Database::open(&in_file(&folder)).await.unwrap();
    let (go, holding) = occupy(&database).await;
    let mut jobs = begin_writes(&database, 50).await;
    // Another connection sees either none or all of the writes.
    let before = count(&database).await;
    go.send(()).unwrap();
    holding.await.unwrap().unwrap();
    assert_eq!((before, count(&database).await), (0, 51));
    while let Some(written) = jobs.join_next().await {
        written.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_caller_that_leaves_writes_nothing_and_stops_no_others() {
    let folder = TempDir::new().unwrap();
    for config in [config::Database::Memory, in_file(&folder)] {
        let database = Database::open(&config).await.unwrap();
        write(&database, "before", Ok(())).await.unwrap();
        let (_go, holding) = occupy(&database).await;
        let jobs = begin_writes(&database, 5).await;
        holding.abort();
        for written in jobs.join_all().await {
            written.unwrap();
        }
        assert_eq!(count(&database).await, 6);
        // Nobody waits for it, and the database is not locked.
        let (_go, holding) = occupy(&database).await;
        holding.abort();
        database.check_write().await.unwrap();
        assert_eq!(count(&database).await, 6);
    }
}

#[tokio::test]
async fn a_path_may_have_characters_that_have_a_meaning_in_an_address() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a #b%20c?.db");
    let opened = Database::open(&config::Database::File(path.clone())).await;
    assert_eq!(count(&opened.unwrap()).await, 0);
    assert!(path.metadata().unwrap().len() > 0);
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_not_opened() {
    let folder = TempDir::new().unwrap();
    for (config, version) in [
        (in_file(&folder), "PRAGMA user_version = 99"),
        (
            postgres(),
            "UPDATE _sqlx_migrations SET version = 99
                WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)",
        ),
    ] {
        let database = Database::open(&config).await.unwrap();
        database.execute(version).await;
        let refused = Database::open(&config).await.err().unwrap();
        assert!(refused.to_string().contains("version 99"), "{refused}");
    }
}

/// SQLite then rolls the whole transaction back.
#[tokio::test]
async fn a_full_disk_is_named_and_the_jobs_of_the_transaction_fail_together() {
    let database = Database::open(&config::Database::Memory).await.unwrap();
    // In a transaction that is committed when this returns, so that no other one shares the next.
    database.execute("PRAGMA max_page_count = 1").await;
    let (go, holding) = occupy(&database).await;
    let long = "long".repeat(100_000);
    let (filling, name) = (database.clone(), long.clone());
    let filling = tokio::spawn(async move { write(&filling, &name, Ok(())).await });
    let later = begin_writes(&database, 2).await;
    go.send(()).unwrap();
    let full = filling.await.unwrap().unwrap_err();
    assert!(full.to_string().contains("disk is full"), "{full}");
    assert!(full.is_unavailable());
    let rolled_back = holding.await.unwrap();
    assert!(
        matches!(rolled_back, Err(Error::RolledBack)),
        "{rolled_back:?}"
    );
    for written in later.join_all().await {
        written.unwrap();
    }
    assert_eq!(count(&database).await, 2);
    let more = query!("PRAGMA max_page_count = 100000");
    database.number(more).await.unwrap();
    write(&database, &long, Ok(())).await.unwrap();
}

#[tokio::test]
async fn a_text_with_a_nul_character_can_be_stored_and_found() {
    let (databases, _folder) = each().await;
    for database in databases {
        write(&database, "a\0b", Ok(())).await.unwrap();
        write(&database, "ab", Ok(())).await.unwrap();
        let mut session = database.reader().await.unwrap();
        let sql = "SELECT COUNT(*) FROM secrets WHERE name = $1";
        let one = session.number(query!(sql, "a\0b".to_owned())).await;
        assert_eq!(one.unwrap(), 1);
        let sql = in_list!("SELECT COUNT(*) FROM secrets WHERE name", "");
        let one = session.number(query_list(sql, &["a\0b", "x"])).await;
        assert_eq!(one.unwrap(), 1);
    }
}
