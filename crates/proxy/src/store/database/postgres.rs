//! PostgreSQL, for several instances.

use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use sqlx::{AnyConnection, AnyPool, ConnectOptions, Executor, Row as _, SqlSafeStr};
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

/// The session of the server that executes a connection's statements.
const SESSION: &str = "SELECT CAST(pg_backend_pid() AS BIGINT)";

/// Connects and migrates the tables. The migrator's advisory lock makes instances that start at the
/// same time wait for each other.
pub(super) async fn open(url: &Secret) -> Result<AnyPool, OpenError> {
    if let Some(warning) = unverified(url) {
        tracing::warn!("{warning}");
    }
    let options: AnyConnectOptions = url.as_str().parse()?;
    let connected = timeout(CONNECT_TIMEOUT, two_connections(&options)).await;
    let (mut connection, sessions) = connected.map_err(|_| {
        format!(
            "the server did not answer within {CONNECT_TIMEOUT:?}; check that it is PostgreSQL, that it is not \
             overloaded, and that no firewall drops its packets"
        )
    })??;
    have_own_sessions(sessions)?;
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

/// Opens two connections at the same time. Returns one of them, and the session of each.
async fn two_connections(
    options: &AnyConnectOptions,
) -> Result<(AnyConnection, [i64; 2]), sqlx::Error> {
    let mut connection = options.connect().await?;
    let session = connection.fetch_one(SESSION).await?.try_get(0)?;
    let mut other = options.connect().await?;
    let other = other.fetch_one(SESSION).await?.try_get(0)?;
    Ok((connection, [session, other]))
}

/// `PgBouncer` in transaction mode gives both the same session if it is not used in between. Prepared statements, time-outs and the
/// lock of migrations belong to a session, so each would be another one's.
fn have_own_sessions([one, other]: [i64; 2]) -> Result<(), OpenError> {
    if one == other {
        return Err(
            "two connections share a session of the server, as with PgBouncer in transaction mode; connect to PostgreSQL \
             itself, or set `pool_mode = session`"
                .into(),
        );
    }
    Ok(())
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

    /// Real connections have sessions of their own: the other tests of this crate use them.
    #[test]
    fn a_pool_that_shares_sessions_is_refused() {
        assert!(have_own_sessions([41, 42]).is_ok());
        let error = have_own_sessions([42, 42]).unwrap_err().to_string();
        assert!(error.contains("set `pool_mode = session`"), "{error}");
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
