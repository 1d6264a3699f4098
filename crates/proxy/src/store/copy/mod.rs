//! Copies a database to an empty one, such as SQLite to PostgreSQL.

use sqlx::AssertSqlSafe;

use super::database::{self, Database, Query, Row, Session, Value};
use crate::config;

/// A table, with its columns by type.
struct Table {
    name: &'static str,
    texts: &'static [&'static str],
    integers: &'static [&'static str],
    /// Whether a new database has its only row already.
    is_single: bool,
}

/// A table comes after the tables that it references.
#[rustfmt::skip]
const TABLES: [Table; 11] = [
    many("attempts",
        &["id", "order_id", "fingerprint", "request", "stage", "failure", "transaction_id", "record",
            "signed_order"],
        &["begun_at", "fence", "lease_until", "called_at", "settles_at", "written_at", "kept_until"]),
    many("attempt_keys", &["idempotency_key", "request_digest", "attempt_id"], &[]),
    many("past_attempts",
        &["id", "order_id", "fingerprint", "stage", "transaction_id"], &["begun_at", "written_at"]),
    many("surplus_payments",
        &["transaction_id", "attempt_id", "request", "record"], &["found_at", "tries", "due_at"]),
    many("secrets", &["name", "value"], &[]),
    many("payments",
        &["transaction_id", "record", "ending"], &["event_id", "wanted_until", "kept_until"]),
    many("payment_events", &["transaction_id", "kind", "record"], &["id", "written_at"]),
    many("notifications", &["digest", "invoice_number"], &["first_at", "received_at", "times"]),
    many("outbox",
        &["id", "transaction_id", "kind", "record", "ending", "signed_order", "state", "answer"],
        &["position", "written_at", "tries", "due_at", "fence", "lease_until", "answered_at"]),
    single("polling",
        &["fence", "lease_until", "begun_at", "due_at", "requested", "failures", "deep_page",
            "last_event", "merchant_until", "announced_until", "notified", "followed_at"]),
    single("heartbeat", &["written_at"]),
];

const fn many(
    name: &'static str,
    texts: &'static [&'static str],
    integers: &'static [&'static str],
) -> Table {
    Table {
        name,
        texts,
        integers,
        is_single: false,
    }
}

const fn single(name: &'static str, integers: &'static [&'static str]) -> Table {
    Table {
        name,
        texts: &[],
        integers,
        is_single: true,
    }
}

/// Why a database was not copied. The target is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The source does not exist.
    #[error("there is no database to copy in {0}; check the path after `--from`")]
    NoSource(String),
    /// A database in memory can't be copied.
    #[error("a database in memory can't be copied; name a file or a PostgreSQL database")]
    Memory,
    /// The target has data.
    #[error("the table `{0}` of the target is not empty; copy to a new database")]
    NotEmpty(&'static str),
    /// A database can't be read or written.
    #[error("can't use {database}: {reason}")]
    Database {
        /// The database, without its password.
        database: String,
        /// The reason.
        reason: String,
    },
}

/// Copies all rows of `from` to `to` in one transaction, and returns their number by table. No proxy
/// may use either of them meanwhile. All rows are held in memory.
///
/// # Errors
/// [`CopyError`].
pub async fn copy_database(
    from: &config::Database,
    to: &config::Database,
) -> Result<Vec<(&'static str, usize)>, CopyError> {
    if let config::Database::File(path) = from
        && !path.exists()
    {
        return Err(CopyError::NoSource(format!("{from:?}")));
    }
    let [source, target] = [open(from).await?, open(to).await?];
    let tables = read(&source).await;
    let tables = tables.map_err(|error| failed(from, &error))?;
    let counts = tables.iter().map(|(table, rows)| (table.name, rows.len()));
    let counts = counts.collect();
    let written = target.transaction(async move |session| {
        for (table, rows) in tables {
            table.write(session, rows).await?;
        }
        Ok(())
    });
    match written.await {
        Ok(()) => Ok(counts),
        Err(WriteError::NotEmpty(table)) => Err(CopyError::NotEmpty(table)),
        Err(WriteError::Database(error)) => Err(failed(to, &error)),
    }
}

/// Why nothing was written.
enum WriteError {
    NotEmpty(&'static str),
    Database(database::Error),
}

impl From<database::Error> for WriteError {
    fn from(error: database::Error) -> Self {
        Self::Database(error)
    }
}

/// Opens a database and migrates its tables.
async fn open(config: &config::Database) -> Result<Database, CopyError> {
    if matches!(config, config::Database::Memory) {
        return Err(CopyError::Memory);
    }
    let opened = Database::open(config).await;
    opened.map_err(|error| failed(config, &error))
}

fn failed(config: &config::Database, error: &impl std::error::Error) -> CopyError {
    CopyError::Database {
        database: format!("{config:?}"),
        reason: error.to_string(),
    }
}

/// All tables with their rows.
async fn read(source: &Database) -> database::Result<Vec<(&'static Table, Vec<Values>)>> {
    let tables = source.transaction(async move |session| {
        let mut tables = Vec::with_capacity(TABLES.len());
        for table in &TABLES {
            let sql = format!("SELECT {} FROM {}", table.columns().join(", "), table.name);
            let rows = session.rows_of(Query::new(AssertSqlSafe(sql), Vec::new()), |row| {
                table.values(row)
            });
            tables.push((table, rows.await?));
        }
        Ok(tables)
    });
    tables.await
}

/// The values of a row.
type Values = Vec<Value>;

impl Table {
    fn columns(&self) -> Vec<&'static str> {
        [self.texts, self.integers].concat()
    }

    fn values(&self, row: &Row<'_>) -> database::Result<Values> {
        let texts = self.texts.iter();
        let texts = texts.map(|column| Ok(Value::Text(row.try_get(*column)?)));
        let integers = self.integers.iter();
        let integers = integers.map(|column| Ok(Value::Integer(row.try_get(*column)?)));
        texts.chain(integers).collect()
    }

    async fn write(&self, session: &mut Session<'_>, rows: Vec<Values>) -> Result<(), WriteError> {
        let name = self.name;
        let run = |sql: String| Query::new(AssertSqlSafe(sql), Vec::new());
        if self.is_single {
            session.execute(run(format!("DELETE FROM {name}"))).await?;
        } else {
            let count = session.number(run(format!("SELECT COUNT(*) FROM {name}")));
            if count.await? > 0 {
                return Err(WriteError::NotEmpty(name));
            }
        }
        let columns = self.columns();
        let places: Vec<_> = (1..=columns.len())
            .map(|place| format!("${place}"))
            .collect();
        let (columns, places) = (columns.join(", "), places.join(", "));
        let insert = format!("INSERT INTO {name} ({columns}) VALUES ({places})");
        for values in rows {
            let insert = Query::new(AssertSqlSafe(insert.clone()), values);
            session.execute(insert).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
