//! When a database is not ready.

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, SqliteConnection};
use tender_programs::Postgres;

use super::*;

#[tokio::test]
async fn a_locked_database_is_not_ready() {
    let folder = TempDir::new().unwrap();
    let database = Database::open(&in_file(&folder)).await.unwrap();
    database.check_write().await.unwrap();
    let file = folder.path().join("tender.db").display().to_string();
    let mut other = SqliteConnection::connect(&file).await.unwrap();
    other.execute("BEGIN IMMEDIATE").await.unwrap();
    let refused = database.check_write().await.unwrap_err();
    assert!(refused.is_unavailable(), "{refused}");
    other.execute("ROLLBACK").await.unwrap();
    database.check_write().await.unwrap();
}

#[tokio::test]
async fn a_database_with_a_locked_table_is_not_ready() {
    let address = Postgres::shared().new_database();
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
        database.execute("DROP TABLE payment_events").await;
        let refused = database.check_write().await.unwrap_err();
        assert!(refused.is_unavailable(), "{refused}");
    }
}

#[tokio::test]
async fn a_read_only_database_is_not_ready() {
    let database = Database::open(&postgres()).await.unwrap();
    database.check_write().await.unwrap();
    // For this connection, for later ones, and without the other ones.
    let mut session = database.begin().await.unwrap();
    for sql in [
        "SET default_transaction_read_only = on",
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on',
                current_database()); END $$",
        "SELECT CAST(pg_terminate_backend(pid) AS TEXT) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()",
    ] {
        session.execute(query!(sql)).await.unwrap();
    }
    session.commit().await.unwrap();
    let refused = database.check_write().await.unwrap_err();
    assert!(refused.is_unavailable(), "{refused}");
}
