//! PostgreSQL, for several instances.

use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use sqlx::{AnyPool, ConnectOptions, Executor, SqlSafeStr};
use tokio::time::timeout;

use super::{MIGRATIONS, OpenError, WAIT_TIMEOUT, newer};
use crate::config::{Secret, is_loopback};

/// A PostgreSQL server allows 100 connections by default.
const CONNECTIONS: u32 = 10;

/// How long the server may take to accept a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long migrations may take, including the wait for another instance that migrates.
const MIGRATE_TIMEOUT: Duration = Duration::from_mins(5);

/// A statement that takes longer fails, so that a lock of another program stops no request for long.
const TIMEOUTS: &str = "
    SET statement_timeout = '10s'; SET lock_timeout = '5s';
    SET idle_in_transaction_session_timeout = '30s'";

/// Connects and migrates the tables. The migrator's advisory lock makes instances that start at the
/// same time wait for each other.
pub(super) async fn open(url: &Secret) -> Result<AnyPool, OpenError> {
    if let Some(warning) = unverified(url) {
        tracing::warn!("{warning}");
    }
    let options: AnyConnectOptions = url.as_str().parse()?;
    let connected = timeout(CONNECT_TIMEOUT, options.connect()).await;
    let mut connection = connected.map_err(|_| {
        format!(
            "the server did not answer within {CONNECT_TIMEOUT:?}; check that it is PostgreSQL, that it is not \
             overloaded, and that no firewall drops its packets"
        )
    })??;
    let migrations = (1..).zip(MIGRATIONS).map(|(version, (name, sql))| {
        let sql = sql.into_sql_str();
        Migration::new(version, name.into(), MigrationType::Simple, sql, false)
    });
    let migrator = Migrator::with_migrations(migrations.collect());
    // `run` does not compile in a future that is sent to another thread.
    let migrated = migrator.run_direct(None, &mut connection, false);
    let migrated = timeout(MIGRATE_TIMEOUT, migrated).await;
    let migrated = migrated.map_err(|_| {
        format!(
            "the tables were not migrated within {MIGRATE_TIMEOUT:?}; check in `pg_stat_activity` whether another \
             session locks them, or whether another instance is still migrating"
        )
    })?;
    match migrated {
        Err(MigrateError::VersionMissing(found)) => return Err(newer(found)),
        migrated => migrated?,
    }
    let pool = AnyPoolOptions::new()
        .max_connections(CONNECTIONS)
        .acquire_timeout(WAIT_TIMEOUT)
        .after_connect(|connection, _| {
            Box::pin(async move { connection.execute(TIMEOUTS).await.map(drop) })
        });
    Ok(pool.connect_with(options).await?)
}

/// Whether a connection leaves this machine without verifying the server by TLS.
fn is_exposed(options: &PgConnectOptions) -> bool {
    let host = options.get_host();
    let is_local = options.get_socket().is_some()
        || host.starts_with('/')
        || host == "localhost"
        || is_loopback(host);
    !is_local && !matches!(options.get_ssl_mode(), PgSslMode::VerifyFull)
}

/// A warning, as a sentence without its full stop, if a connection would not verify the server.
pub(crate) fn unverified(url: &Secret) -> Option<&'static str> {
    let options = url.as_str().parse().ok()?;
    is_exposed(&options).then_some(
        "the connection to PostgreSQL does not verify the server's certificate; add `sslmode=verify-full` to `database_url`",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config;
    use crate::store::database::Database;

    /// The time-outs of the start pass at once, because the clock is paused.
    #[tokio::test(start_paused = true)]
    async fn a_server_that_never_answers_is_given_up() {
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let server = format!("postgres://me@{}/a", silent.local_addr().unwrap());
        let config = config::Database::Postgres(Secret::from(server));
        let opened = timeout(2 * MIGRATE_TIMEOUT, Database::open(&config)).await;
        let error = opened.unwrap().err().unwrap();
        assert!(error.to_string().contains("within 10s"), "{error}");
    }

    #[test]
    fn a_connection_over_a_network_must_verify_the_server() {
        for (address, exposed) in [
            ("postgres://me@db.example/tender", true),
            ("postgres://me@db.example/tender?sslmode=require", true),
            ("postgres://me@db.example/tender?sslmode=verify-ca", true),
            ("postgres://me@db.example/tender?sslmode=verify-full", false),
            ("postgres://me@192.0.2.1/tender", true),
            ("postgres://me@127.0.0.1/tender", false),
            ("postgres://me@[::1]/tender", false),
            ("postgres://me@localhost/tender", false),
            ("postgres://me@%2Frun%2Fpostgresql/tender", false),
        ] {
            assert_eq!(is_exposed(&address.parse().unwrap()), exposed, "{address}");
        }
    }
}
