//! What the database has of a script after a long time. Only what remains is read, not what the proxy makes of it.

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteRow};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Row as _, SqliteConnection};

use super::buyers::BUYER;
use crate::clock::millis;

/// Tables whose rows no script adds.
const FIXED: &str = "('_sqlx_migrations', 'polling', 'heartbeat', 'age', 'memory', 'secrets')";

/// The rows of scripts, by table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Remains {
    /// How many there are.
    pub(super) rows: Vec<(String, usize)>,
    /// The tables with the address of the buyer.
    pub(super) with_buyer: Vec<String>,
}

async fn open(file: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(file);
    options.connect().await.unwrap()
}

/// From now on, the time in which the proxy did not run counts as if it had.
pub(super) async fn run_for(file: &Path, time: Duration) {
    let mut database = open(file).await;
    let count = "UPDATE age SET counted_at = counted_at + $1";
    let count = sqlx::query(count).bind(millis(time));
    count.execute(&mut database).await.unwrap();
    database.close().await.unwrap();
}

pub(super) async fn read(file: &Path) -> Remains {
    let mut database = open(file).await;
    let tables =
        format!("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN {FIXED}");
    let tables = sqlx::query_scalar::<_, String>(AssertSqlSafe(tables));
    let mut remains = Remains::default();
    for table in tables.fetch_all(&mut database).await.unwrap() {
        let rows = sqlx::query(AssertSqlSafe(format!("SELECT * FROM {table}")));
        let rows = rows.fetch_all(&mut database).await.unwrap();
        if rows.iter().any(has_buyer) {
            remains.with_buyer.push(table.clone());
        }
        if !rows.is_empty() {
            remains.rows.push((table, rows.len()));
        }
    }
    database.close().await.unwrap();
    remains
}

fn has_buyer(row: &SqliteRow) -> bool {
    let mut texts = (0..row.len()).filter_map(|column| row.try_get::<String, _>(column).ok());
    texts.any(|text| text.contains(BUYER))
}
