//! Statements, values and rows, with the same interface for both databases.

use std::time::{Instant, SystemTime};

use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgArguments, PgConnection, PgRow};
use sqlx::query::Query;
use sqlx::{Postgres, Row as _, Transaction};

use super::{Clock, Error, Result};

const POSTGRES_CLOCK: &str = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)";

/// The connection that a job runs on.
///
/// Statements have the placeholders `$1`, `$2` and so on. Values are always bound to them and never
/// inserted into the SQL text.
pub(crate) enum Session {
    /// Statements run synchronously: they are complete when they return.
    Sqlite(rusqlite::Connection),
    Transaction(Transaction<'static, Postgres>),
    Connection(PoolConnection<Postgres>),
}

/// A value for a placeholder.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    Integer(i64),
    Text(&'a str),
    /// NULL
    Null,
}

/// A row of a result.
pub(crate) enum Row<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Postgres(&'r PgRow),
}

impl Session {
    /// Runs a statement and returns the number of affected rows.
    pub(crate) async fn execute(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<u64> {
        match self {
            Self::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(&numbered(sql))?;
                let written = statement.execute(rusqlite::params_from_iter(values))?;
                Ok(u64::try_from(written).unwrap_or(u64::MAX))
            }
            Self::Transaction(transaction) => execute(transaction, sql, values).await,
            Self::Connection(connection) => execute(connection, sql, values).await,
        }
    }

    /// Returns all rows.
    pub(crate) async fn rows<T: Send>(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
        read: impl Fn(&Row<'_>) -> Result<T> + Send,
    ) -> Result<Vec<T>> {
        let connection: &mut PgConnection = match self {
            Self::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(&numbered(sql))?;
                let mut rows = statement.query(rusqlite::params_from_iter(values))?;
                let mut found = Vec::new();
                while let Some(row) = rows.next()? {
                    found.push(read(&Row::Sqlite(row))?);
                }
                return Ok(found);
            }
            Self::Transaction(transaction) => transaction,
            Self::Connection(connection) => connection,
        };
        let rows = bound(sql, values).fetch_all(connection).await?;
        rows.iter().map(|row| read(&Row::Postgres(row))).collect()
    }

    /// Returns the first row.
    pub(crate) async fn row<T: Send>(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
        read: impl Fn(&Row<'_>) -> Result<T> + Send,
    ) -> Result<Option<T>> {
        let rows = self.rows(sql, values, read).await?;
        Ok(rows.into_iter().next())
    }

    /// Returns the number in the only row and column.
    pub(crate) async fn number(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<i64> {
        let number = self.row(sql, values, |row| row.integer(0)).await?;
        number.ok_or_else(|| Error::unreadable("a number is missing"))
    }

    pub(crate) async fn clock(&mut self) -> Result<Clock> {
        if let Self::Sqlite(_) = self {
            return Ok(Clock::local());
        }
        let (asked, wall) = (Instant::now(), SystemTime::now());
        let now = self.number(POSTGRES_CLOCK, &[]).await?;
        Ok(Clock { now, asked, wall })
    }

    /// Commits a transaction.
    pub(super) async fn commit(self) -> Result<()> {
        match self {
            Self::Transaction(transaction) => Ok(transaction.commit().await?),
            Self::Sqlite(_) | Self::Connection(_) => Ok(()),
        }
    }
}

/// SQLite treats `$1` as a named parameter; `?1` is the numbered form.
fn numbered(sql: &str) -> String {
    sql.replace('$', "?")
}

async fn execute(
    connection: &mut PgConnection,
    sql: &'static str,
    values: &[Value<'_>],
) -> Result<u64> {
    Ok(bound(sql, values)
        .execute(connection)
        .await?
        .rows_affected())
}

fn bound<'q>(sql: &'static str, values: &[Value<'q>]) -> Query<'q, Postgres, PgArguments> {
    values
        .iter()
        .fold(sqlx::query(sql), |query, value| match *value {
            Value::Integer(number) => query.bind(number),
            Value::Text(text) => query.bind(text),
            Value::Null => query.bind(None::<&str>),
        })
}

impl Row<'_> {
    pub(crate) fn integer(&self, column: impl Column) -> Result<i64> {
        Ok(match self {
            Self::Sqlite(row) => row.get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    /// A number, or `None` for NULL.
    pub(crate) fn optional_integer(&self, column: impl Column) -> Result<Option<i64>> {
        Ok(match self {
            Self::Sqlite(row) => row.get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    pub(crate) fn text(&self, column: impl Column) -> Result<String> {
        Ok(match self {
            Self::Sqlite(row) => row.get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    /// A text, or `None` for NULL.
    pub(crate) fn optional_text(&self, column: impl Column) -> Result<Option<String>> {
        Ok(match self {
            Self::Sqlite(row) => row.get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }
}

/// The name or the index of a column.
pub(crate) trait Column: rusqlite::RowIndex + sqlx::ColumnIndex<PgRow> {}
impl<C: rusqlite::RowIndex + sqlx::ColumnIndex<PgRow>> Column for C {}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Null => ValueRef::Null,
        }))
    }
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}
