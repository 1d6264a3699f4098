//! Starts and stops the proxy.

mod warnings;

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use prometheus_client::metrics::gauge::Gauge;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

pub(crate) use self::warnings::warnings;
use crate::checkout::receipts::audience;
use crate::checkout::signing::LinkSigner;
use crate::config::{self, Config, Secret};
use crate::deliveries::Deliveries;
use crate::executor::Executor;
use crate::http::App;
use crate::http::assets::Assets;
use crate::http::connections::Connections;
use crate::http::credentials::Access;
use crate::http::limits::Limits;
use crate::http::routes;
use crate::rendering::Renderer;
use crate::shared::Shared;
use crate::store::Store;
use crate::tokens::Tokens;
use crate::tracking::Tracking;
use crate::transport::Transports;

/// How much longer than the service's timeout stopping may take.
const STOP_MARGIN: Duration = Duration::from_secs(5);

/// Connections of an address for the operator: enough for Prometheus or a load balancer, and a few
/// manual requests.
const OPERATOR_CONNECTIONS: usize = 16;

/// How long a connection for the operator may be idle, at most.
const OPERATOR_IDLE: Duration = Duration::from_secs(3);

/// A running proxy, until it is stopped or dropped.
pub struct Running {
    listener: Listener,
    /// For the operator, with connections of its own, so that it answers while all others are taken. It is served until the
    /// process ends, so that the last requests can be counted.
    operator: Option<Listener>,
    app: Arc<App>,
}

/// A socket whose connections are served until it is dropped.
struct Listener {
    address: SocketAddr,
    serving: AbortOnDropHandle<()>,
}

/// Why a proxy can't start, and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct StartError(String);

impl StartError {
    /// The database can't be opened or read.
    pub(crate) fn database(config: &Config, reason: impl fmt::Display) -> Self {
        // Its `Debug` output has no password.
        let database = &config.store.database;
        let advice = match database {
            config::Database::Postgres(_) => {
                "check that the server runs, and its address, password and `sslrootcert` in `database_url`"
            }
            _ => "set another database with `database_url`",
        };
        Self(format!("can't use {database:?}: {reason}; {advice}"))
    }
}

/// Starts a proxy. It accepts requests when this function returns.
///
/// # Errors
/// [`StartError`].
pub async fn start(config: Config) -> Result<Running, StartError> {
    if let Some(error) = config.contradictions().into_iter().next() {
        return Err(StartError(error));
    }
    warnings::log_risks(&config);
    warnings::raise_file_limit(&config);
    let transports = Transports::new(&config).map_err(StartError)?;
    let config = Arc::new(config);
    let store = Store::open(&config).await;
    let store = store.map_err(|error| StartError::database(&config, error))?;
    tracing::info!(database = ?config.store.database, "the database is open");
    let app = Arc::new(open_app(store, transports).await?);
    let server = &app.config.server;
    let operator = match server.metrics_listen {
        Some(address) => {
            let connections = Connections {
                max: OPERATOR_CONNECTIONS,
                head_timeout: server.request_timeout.min(OPERATOR_IDLE),
                open: Gauge::default(),
            };
            let router = routes::operator_router(Arc::clone(&app));
            let serve = |listener| connections.serve(listener, router, CancellationToken::new());
            let listener = Listener::start("metrics_listen", address, serve).await?;
            tracing::info!(address = %listener.address, "listening for the operator");
            Some(listener)
        }
        None => None,
    };
    let connections = Connections {
        max: server.max_connections,
        head_timeout: server.request_timeout,
        open: app.metrics.open_connections.clone(),
    };
    let router = routes::router(Arc::clone(&app));
    let serve = |listener| connections.serve(listener, router, app.stop.clone());
    let listener = Listener::start("listen", server.listen, serve).await?;
    tracing::info!(address = %listener.address, "listening");
    Ok(Running {
        listener,
        operator,
        app,
    })
}

impl Listener {
    /// Opens the socket that this setting names. Its actual address may have another port.
    async fn start<S: Future<Output = ()> + Send + 'static>(
        setting: &'static str,
        address: SocketAddr,
        serve: impl FnOnce(TcpListener) -> S,
    ) -> Result<Self, StartError> {
        let failed = |error| {
            StartError(format!(
                "can't listen on {address}: {error}; choose another address with `{setting}`"
            ))
        };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        Ok(Self {
            address: listener.local_addr().map_err(failed)?,
            serving: AbortOnDropHandle::new(tokio::spawn(serve(listener))),
        })
    }
}

/// Claims the SQLite file of the settings until the result is dropped: a second process would have leases, limits and a clock of
/// its own. The system releases the claim when the process ends, however it ends. Commands such as `ledger settle` need none.
///
/// # Errors
/// Another process has claimed it.
pub(crate) fn claim_database(config: &Config) -> Result<Option<File>, StartError> {
    let config::Database::File(path) = &config.store.database else {
        return Ok(None);
    };
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    // The lock is not on the database itself, where closing the file would release SQLite's own locks.
    let file = options.open(beside(path, "-process"));
    let file = file.map_err(|error| StartError::database(config, error))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(StartError(format!(
            "{:?} is in use by another tender-proxy; stop that one first, or set `database_url` to PostgreSQL, which \
             several instances can share",
            config.store.database
        ))),
        Err(TryLockError::Error(error)) => Err(StartError::database(config, error)),
    }
}

/// A file beside a SQLite database, the same one for all names of the database.
pub(crate) fn beside(database: &Path, end: &str) -> PathBuf {
    let path = database.canonicalize();
    let mut name = path
        .unwrap_or_else(|_| database.to_owned())
        .into_os_string();
    name.push(end);
    name.into()
}

/// Starts the tasks in the background.
pub(crate) async fn open_app(store: Store, transports: Transports) -> Result<App, StartError> {
    let config = Arc::clone(&store.config);
    let failed = |error| StartError::database(&config, error);
    store.database.count_time().await.map_err(failed)?;
    let cancelling = store.observe().await.map_err(failed)?;
    let receipt_key = receipt_key(&store, &config).await?;
    let links = link_signer(&store, &config).await?;
    let shared = Arc::new(Shared::new(store, transports.service));
    let stop_on_drop = shared.stop.clone().drop_guard();
    let tracking = Tracking::start(&shared).await;
    let tracking = tracking.map_err(|error| StartError::database(&config, error))?;
    let assets = Assets::load(
        config.server.assets.as_deref(),
        config.server.brand.logo.as_ref(),
    );
    Ok(App {
        stop_on_drop,
        limits: Limits::new(&config),
        access: ArcSwap::from_pointee(Access::new(
            &config,
            &receipt_key,
            links.as_ref(),
            config.upstream.test_mode,
        )),
        receipt_key,
        links,
        tracking,
        deliveries: Deliveries::start(&shared, transports.shop),
        tokens: Tokens::new(&shared),
        renderer: Renderer::default(),
        executor: Executor::start(&shared, cancelling),
        assets: assets.map_err(|error| {
            StartError(format!("can't read the directory in `assets`: {error}"))
        })?,
        shared,
    })
}

/// The key for receipts in the database.
async fn receipt_key(store: &Store, config: &Config) -> Result<Secret, StartError> {
    check_mode(store, config).await?;
    let key = store.secret(audience(config.upstream.test_mode)).await;
    let key = key.map_err(|error| StartError::database(config, error))?;
    Ok(Secret::from(key))
}

/// # Errors
/// The database was used in the other mode, or by no proxy.
pub(crate) async fn check_used(store: &Store, config: &Config) -> Result<(), StartError> {
    check_mode(store, config).await?;
    let failed = |error| StartError::database(config, error);
    let key = store.find_secret(audience(config.upstream.test_mode)).await;
    match key.map_err(failed)? {
        Some(_) => Ok(()),
        None => Err(StartError(format!(
            "{:?} is empty: no proxy has used it; restore the backup first",
            config.store.database
        ))),
    }
}

/// The name of the key for receipts tells in which mode the database is used: with one of the other mode, buyers would be shown the
/// wallets of payments that were made in it.
async fn check_mode(store: &Store, config: &Config) -> Result<(), StartError> {
    let is_test = config.upstream.test_mode;
    let failed = |error| StartError::database(config, error);
    let other = store.find_secret(audience(!is_test)).await;
    if other.map_err(failed)?.is_some() {
        let database = &config.store.database;
        let used = if is_test {
            "for real payments"
        } else {
            "in test mode"
        };
        return Err(StartError(format!(
            "{database:?} was used {used}, and `test_mode` is {is_test}; set another database with `database_url`"
        )));
    }
    Ok(())
}

/// What signs payment links, with a key in the database that all instances share.
async fn link_signer(store: &Store, config: &Config) -> Result<Option<LinkSigner>, StartError> {
    let links = &config.payment_links;
    if !links.is_on {
        return Ok(None);
    }
    let secret = store.secret(&format!("payment-link {}", links.kid)).await;
    let secret = secret.map_err(|error| StartError::database(config, error))?;
    Ok(Some(LinkSigner::new(config, secret.into())))
}

impl Running {
    /// The address that the proxy listens on.
    pub fn address(&self) -> SocketAddr {
        self.listener.address
    }

    /// The address that serves the metrics and the health checks to the operator.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.operator.as_ref().map(|listener| listener.address)
    }

    /// Replaces the keys, the credentials for the service and the meaning of statuses by those of
    /// `config`, without closing connections. Its other settings are ignored.
    pub fn reload(&self, config: &Config) {
        self.app.reload(config);
        let (app, config) = (Arc::clone(&self.app), config.clone());
        self.app.tasks.spawn(async move {
            let logging = warnings::log_unmatched(&app.store, &config);
            app.stop.run_until_cancelled(logging).await;
        });
    }

    /// Is not ready any more, and serves requests for `drain_seconds`. Then it stops accepting connections except health checks,
    /// waits for the requests and payments in progress, a little longer than the service's timeout at most, and closes the database.
    /// Returns whether all of them finished.
    pub async fn stop(mut self) -> bool {
        self.app.draining.cancel();
        tokio::time::sleep(self.app.config.server.drain).await;
        // This also ends the event streams, which do not end by themselves.
        self.app.stop.cancel();
        let finishing = async {
            let _ = (&mut self.listener.serving).await;
            self.app.tasks.close();
            self.app.tasks.wait().await;
        };
        let upstream = &self.app.config.upstream;
        let timeout = upstream.timeout.saturating_add(STOP_MARGIN);
        let finished = tokio::time::timeout(timeout, finishing).await;
        let closing = self.app.store.database.close();
        match tokio::time::timeout(STOP_MARGIN, closing).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "the database could not be closed"),
            Err(_) => tracing::warn!("the database is still used, so it is not closed"),
        }
        finished.is_ok()
    }
}
