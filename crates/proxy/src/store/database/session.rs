//! Statements, values and rows, the same for both databases.

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, FromRow, SqlSafeStr};

use super::writer::Turn;
use super::{Database, Error, Result, executed};
use crate::clock::{Clock, Instant, wall};
use crate::metrics::DatabaseLatency;

const POSTGRES_CLOCK: &str = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)";

/// A statement with the values of its placeholders `$1`, `$2` and so on. Values are always bound to
/// them and never inserted into the text.
pub(crate) struct Query(sqlx::query::Query<'static, Any, AnyArguments>);

/// A value for a placeholder; `None` is NULL.
#[derive(Debug)]
pub(crate) enum Value {
    Integer(Option<i64>),
    Text(Option<String>),
}

macro_rules! query {
    ($sql:expr $(, $value:expr)* $(,)?) => {
        $crate::store::database::Query::new($sql, [$($value.into()),*])
    };
}
pub(crate) use query;

/// Number of values in an `IN` list: one page of the service's list.
pub(crate) const LIST_LEN: usize = tender_protocol::PAGE_SIZE;

/// Inserts an `IN` list with the placeholders `$1` to `$20` between two parts of a statement.
macro_rules! in_list {
    ($before:expr, $after:literal) => {
        concat!(
            $before,
            " IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20) ",
            $after
        )
    };
}
pub(crate) use in_list;

/// A statement with an `IN` list. The list is filled up with empty texts, which match no row.
pub(crate) fn query_list(sql: &'static str, names: &[impl AsRef<str>]) -> Query {
    let names = names.iter().map(|name| name.as_ref().to_owned());
    let padding = std::iter::repeat_with(String::new);
    let names = names.chain(padding).take(LIST_LEN);
    Query::new(sql, names.map(Value::from))
}

/// A connection for statements: a transaction, which is rolled back unless it is committed, or one that only reads.
pub(crate) struct Session {
    connection: Connection,
    database: Database,
    _timer: Timer,
}

pub(super) enum Connection {
    Turn(Turn),
    Transaction(sqlx::Transaction<'static, Any>),
    Reader(PoolConnection<Any>),
    #[cfg(test)]
    One(tokio::sync::OwnedMutexGuard<Option<AnyConnection>>),
}

/// Adds its lifetime to the metrics.
pub(super) struct Timer {
    begun: Instant,
    latency: DatabaseLatency,
    operation: &'static str,
}

impl Timer {
    pub(super) fn new(latency: &DatabaseLatency, operation: &'static str) -> Self {
        Self {
            begun: Instant::now(),
            latency: latency.clone(),
            operation,
        }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        let times = self.latency.get_or_create(&[("operation", self.operation)]);
        times.observe(self.begun.elapsed().as_secs_f64());
    }
}

/// A value that is read from a row.
pub(crate) trait ReadRow: for<'r> FromRow<'r, AnyRow> + Send + Unpin {}

impl<T: for<'r> FromRow<'r, AnyRow> + Send + Unpin> ReadRow for T {}

impl Session {
    pub(super) fn new(connection: Connection, database: Database, timer: Timer) -> Self {
        Self {
            connection,
            database,
            _timer: timer,
        }
    }

    /// Keeps the writes of a transaction: they are on disk when this returns.
    pub(crate) async fn commit(self) -> Result<()> {
        match self.connection {
            Connection::Turn(turn) => turn.commit().await,
            Connection::Transaction(transaction) => Ok(transaction.commit().await?),
            Connection::Reader(_) => Ok(()),
            #[cfg(test)]
            Connection::One(_) => Ok(()),
        }
    }

    fn connection(&mut self) -> Result<&mut AnyConnection> {
        match &mut self.connection {
            Connection::Turn(turn) => turn.connection(),
            Connection::Transaction(transaction) => Ok(transaction),
            Connection::Reader(reader) => Ok(reader),
            #[cfg(test)]
            Connection::One(reader) => reader.as_mut().ok_or(Error::Closed),
        }
    }

    /// Runs a statement and returns the number of affected rows.
    pub(crate) async fn execute(&mut self, query: Query) -> Result<u64> {
        let done = executed(query.0.execute(self.connection()?)).await?;
        Ok(done.rows_affected())
    }

    pub(crate) async fn rows<T: ReadRow>(&mut self, query: Query) -> Result<Vec<T>> {
        self.rows_of(query, |row| T::from_row(row)).await
    }

    /// Returns all rows, read by a function.
    pub(crate) async fn rows_of<T: Send>(
        &mut self,
        query: Query,
        read: impl Fn(&AnyRow) -> sqlx::Result<T> + Send,
    ) -> Result<Vec<T>> {
        let rows = executed(query.0.fetch_all(self.connection()?)).await?;
        Ok(rows.iter().map(read).collect::<sqlx::Result<_>>()?)
    }

    /// Returns all rows of a statement with an `IN` list, however long the list is.
    pub(crate) async fn rows_in<T: ReadRow>(
        &mut self,
        sql: &'static str,
        names: &[impl AsRef<str> + Sync],
    ) -> Result<Vec<T>> {
        let mut found = Vec::new();
        for names in names.chunks(LIST_LEN) {
            found.extend(self.rows(query_list(sql, names)).await?);
        }
        Ok(found)
    }

    pub(crate) async fn row<T: ReadRow>(&mut self, query: Query) -> Result<Option<T>> {
        Ok(self.rows(query).await?.into_iter().next())
    }

    /// Returns the number in the only row and column.
    pub(crate) async fn number(&mut self, query: Query) -> Result<i64> {
        let number = self.row::<(i64,)>(query).await?;
        number.map_or(Err(Error::unreadable("a number is missing")), |row| {
            Ok(row.0)
        })
    }

    pub(crate) async fn clock(&mut self) -> Result<Clock> {
        let lag = self.database.lag();
        if let Some(clock) = &self.database.clock {
            return Ok(clock.now(lag));
        }
        let (read_at, wall) = (Instant::now(), wall());
        let now = self.number(query!(POSTGRES_CLOCK)).await?;
        Ok(Clock {
            now,
            lag,
            read_at,
            wall,
        })
    }
}

impl Query {
    pub(crate) fn new(sql: impl SqlSafeStr, values: impl IntoIterator<Item = Value>) -> Self {
        let query = Self(sqlx::query(sql));
        values.into_iter().fold(query, Self::bind)
    }

    pub(crate) fn bind(self, value: impl Into<Value>) -> Self {
        Self(match value.into() {
            Value::Integer(number) => self.0.bind(number),
            Value::Text(text) => self.0.bind(text),
        })
    }
}

/// PostgreSQL does not allow NUL characters, which the service's ids may contain. They are replaced
/// wherever a text is stored or searched for, so that one odd id does not fail a whole page.
fn storable(text: String) -> String {
    if text.contains('\0') {
        text.replace('\0', "\u{FFFD}")
    } else {
        text
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(Some(number))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(Some(storable(text)))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl<T: Into<String>> From<Option<T>> for Value {
    fn from(text: Option<T>) -> Self {
        Self::Text(text.map(|text| storable(text.into())))
    }
}
