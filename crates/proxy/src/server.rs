//! Starts and stops the proxy.

mod open_files;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use prometheus_client::metrics::gauge::Gauge;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

pub use self::open_files::TooFewFiles;
use crate::checkout::attempts::Payments;
use crate::checkout::receipts::{AUDIENCE, Receipts};
use crate::config::{Config, Origin};
use crate::http::app::App;
use crate::http::assets::Assets;
use crate::http::connections::Connections;
use crate::http::credentials::Access;
use crate::http::limits::Limits;
use crate::http::routes;
use crate::metrics::Metrics;
use crate::service::tokens::Tokens;
use crate::service::{Service, causes};
use crate::statuses::Statuses;
use crate::store::attempts::{AttemptStore, Timeouts, spawn_pruning};
use crate::tracking::Tracking;

/// How much longer than the service's timeout stopping may take.
const STOP_MARGIN: Duration = Duration::from_secs(5);

/// Enough for Prometheus and a few manual requests.
const METRICS_CONNECTIONS: usize = 16;

/// A running proxy, until it is stopped or dropped.
pub struct Running {
    address: SocketAddr,
    metrics_address: Option<SocketAddr>,
    stop: CancellationToken,
    serving: AbortOnDropHandle<()>,
    _serving_metrics: Option<AbortOnDropHandle<()>>,
    app: Arc<App>,
    stop_timeout: Duration,
}

/// Why a proxy can't start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address is in use or not available.
    #[error("can't listen on {address}: {source}; choose another address with `listen`")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The reason.
        source: io::Error,
    },
    /// The directory of the widget can't be read.
    #[error("can't read the directory in `assets`: {0}")]
    Assets(#[source] io::Error),
    /// The HTTP client can't be created.
    #[error("can't set up TLS ({0}); are the system's CA certificates installed?")]
    Client(String),
    /// The database can't be opened.
    #[error("can't use {database}: {reason}; set another database with `database_url`")]
    Database {
        /// The database, without its password.
        database: String,
        /// The reason.
        reason: String,
    },
}

impl StartError {
    pub(crate) fn database(config: &Config, error: &impl std::error::Error) -> Self {
        Self::Database {
            database: format!("{:?}", config.store.database),
            reason: error.to_string(),
        }
    }
}

/// Starts a proxy. It accepts requests when this function returns.
///
/// # Errors
/// [`StartError`].
pub async fn start(config: Config) -> Result<Running, StartError> {
    let stop_timeout = config.upstream.timeout.saturating_add(STOP_MARGIN);
    let allow_origins = config.server.allow_origins.clone();
    warn_of_risks(&config);
    open_files::raise_limit(&config);
    let (listen, metrics_listen) = (config.server.listen, config.server.metrics_listen);
    let (max, head_timeout) = (config.server.max_connections, config.server.request_timeout);
    let app = Arc::new(open_app(config).await?);
    let counted = app.metrics.clone();
    let router = routes::router(Arc::clone(&app), &allow_origins);
    let stop = CancellationToken::new();

    let mut metrics_address = None;
    let mut serving_metrics = None;
    if let Some(address) = metrics_listen {
        let (listener, address) = bind(address).await?;
        let connections = Connections {
            max: METRICS_CONNECTIONS,
            head_timeout,
            open: Gauge::default(),
        };
        let router = routes::metrics_router(counted.clone());
        // Served until the process ends, so that the last requests can be counted.
        let serving = connections.serve(listener, router, CancellationToken::new());
        serving_metrics = Some(AbortOnDropHandle::new(tokio::spawn(serving)));
        metrics_address = Some(address);
        tracing::info!(%address, "serving metrics");
    }

    let (listener, address) = bind(listen).await?;
    let connections = Connections {
        max,
        head_timeout,
        open: counted.connections,
    };
    let serving = connections.serve(listener, router, stop.clone());
    tracing::info!(%address, "listening");
    Ok(Running {
        address,
        metrics_address,
        stop,
        serving: AbortOnDropHandle::new(tokio::spawn(serving)),
        _serving_metrics: serving_metrics,
        app,
        stop_timeout,
    })
}

/// Opens the database and starts the tasks in the background.
pub(crate) async fn open_app(config: Config) -> Result<App, StartError> {
    let metrics = Metrics::new();
    let service = Service::new(&config, metrics.clone());
    let service = Arc::new(service.map_err(|error| StartError::Client(causes(&error)))?);
    let store = AttemptStore::open(&config.store.database, Timeouts::new(&config)).await;
    let store = Arc::new(store.map_err(|error| StartError::database(&config, &error))?);
    tracing::info!(database = ?config.store.database, "the database is open");
    let statuses = Statuses::new(&config);
    let receipt_key = store.secret(AUDIENCE).await;
    let receipt_key = receipt_key.map_err(|error| StartError::database(&config, &error))?;
    let tracking = Tracking::start(&config, Arc::clone(&service), store.database(), &metrics).await;
    let tracking = tracking.map_err(|error| StartError::database(&config, &error))?;
    Ok(App {
        limits: Arc::new(Limits::new(&config)),
        metrics,
        body_timeout: config.server.request_timeout,
        access: Access {
            receipts: Receipts::new(&config.access.receipt_keys, &receipt_key.into()),
            merchant_keys: config.access.merchant_keys,
        },
        tracking,
        webhook_secrets: config.access.webhook_secrets,
        tokens: Tokens::new(Arc::clone(&service), config.upstream.token_cache),
        payments: Payments::new(Arc::clone(&service), Arc::clone(&store), statuses),
        service,
        pruning: spawn_pruning(store),
        assets: Assets::load(config.server.assets.as_deref()).map_err(StartError::Assets)?,
        order_keys: config.orders.keys,
        allow_unsigned_orders: config.orders.allow_unsigned,
    })
}

/// Opens a socket and returns its actual address.
async fn bind(address: SocketAddr) -> Result<(TcpListener, SocketAddr), StartError> {
    let failed = |source| StartError::Listen { address, source };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

/// Warns of settings that are fine in a demo but risky in production.
fn warn_of_risks(config: &Config) {
    if config.orders.allow_unsigned {
        tracing::warn!("unsigned orders are allowed: pages set their own price");
    }
    if config.server.allow_origins.iter().any(Origin::is_any) {
        tracing::warn!("pages of any origin are allowed");
    }
    for address in [&config.upstream.base_url, &config.upstream.rates_base_url] {
        let host = address.host_str().unwrap_or_default();
        let ip = host.trim_matches(['[', ']']).parse::<IpAddr>();
        if address.scheme() == "http" && !ip.is_ok_and(|ip| ip.is_loopback()) {
            tracing::warn!(%address, "the connection to the service is not encrypted");
        }
    }
}

impl Running {
    /// The address that the proxy listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address that serves the metrics.
    #[must_use]
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics_address
    }

    /// Stops accepting connections and waits for the requests and payments in progress, a little
    /// longer than the service's timeout at most. Returns whether all of them finished.
    pub async fn stop(mut self) -> bool {
        self.stop.cancel();
        // Event streams do not end by themselves.
        self.app.tracking.close();
        let finishing = async {
            let _ = (&mut self.serving).await;
            self.app.payments.finish().await;
            self.app.tracking.finish().await;
        };
        tokio::time::timeout(self.stop_timeout, finishing)
            .await
            .is_ok()
    }
}
