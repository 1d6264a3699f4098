//! Runs tests of the store on SQLite and on PostgreSQL.

use tempfile::TempDir;
use tender_programs::Postgres;

use crate::config;

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
