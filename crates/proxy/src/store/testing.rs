//! Runs tests of the store on SQLite and on PostgreSQL.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::SqlSafeStr;
use tempfile::TempDir;
use tender_programs::Postgres;

use super::Store;
use super::attempts::Observed;
use super::database::{Database, Query};
use super::payments::{Source, add_payment};
use crate::config::{self, Config};

/// Runs each of these functions as a test on each database. They take its configuration.
macro_rules! on_each_database {
    ($($test:ident)*) => {
        mod sqlite {
            $(
                #[tokio::test]
                async fn $test() {
                    super::$test(crate::config::Database::Memory).await;
                }
            )*
        }

        mod postgres {
            $(
                #[tokio::test]
                async fn $test() {
                    super::$test(crate::store::testing::postgres()).await;
                }
            )*
        }
    };
}
pub(crate) use on_each_database;

/// A SQLite database in this directory, in the file `tender.db`.
pub(crate) fn in_file(directory: &TempDir) -> config::Database {
    config::Database::File(directory.path().join("tender.db"))
}

/// An empty database of the shared PostgreSQL server.
pub(crate) fn postgres() -> config::Database {
    let address = Postgres::shared().new_database();
    address.parse().unwrap()
}

/// A store of this database. No lease expires during a test.
pub(crate) async fn open(database: &config::Database) -> Store {
    let nowhere = "http://127.0.0.1:9";
    let mut config = Config::new(nowhere, nowhere).unwrap();
    config.store.database = database.clone();
    config.upstream.timeout = Duration::from_mins(1);
    Store::open(&Arc::new(config)).await.unwrap()
}

/// Time passes for the clock of this process.
pub(crate) async fn pass(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

impl Database {
    /// Executes a statement. Returns the number of affected rows.
    pub(crate) async fn execute(&self, sql: impl SqlSafeStr) -> u64 {
        self.write(Query::new(sql, [])).await.unwrap()
    }
}

impl Store {
    /// A store for a simulation.
    pub(crate) async fn open_simulated(config: Config, file: &Path) -> Self {
        Self {
            database: Database::open_simulated(file).await.unwrap(),
            config: Arc::new(config),
            observed: Observed::default(),
        }
    }

    /// Adds a payment as if it had been created.
    pub(crate) async fn add_created(&self, transaction_id: &str, record: &str) {
        let mut tx = self.transaction().await.unwrap();
        let added = add_payment(&mut tx, transaction_id, record, Source::Response);
        added.await.unwrap();
        tx.commit().await.unwrap();
    }
}
