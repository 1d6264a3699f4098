//! PostgreSQL, for several instances.

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{PgPool, SqlSafeStr};

use super::{DatabaseError, Error, MIGRATIONS, WAIT_TIMEOUT};
use crate::config::Secret;

/// A PostgreSQL server allows 100 connections by default.
const CONNECTIONS: u32 = 10;

/// Connects and migrates the tables. The migrator's advisory lock makes instances that start at the
/// same time wait for each other.
pub(super) async fn open(url: &Secret) -> Result<PgPool, DatabaseError> {
    let options: PgConnectOptions = url.as_str().parse().map_err(Error::from)?;
    let pool = PgPoolOptions::new()
        .max_connections(CONNECTIONS)
        .acquire_timeout(WAIT_TIMEOUT);
    let pool = pool.connect_with(options).await.map_err(Error::from)?;
    let migrations = (1..).zip(MIGRATIONS).map(|(version, (name, sql))| {
        let sql = sql.into_sql_str();
        Migration::new(version, name.into(), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.collect())
        .run(&pool)
        .await?;
    Ok(pool)
}
