//! Starts and stops the proxy.

mod one_process;
mod open_files;
mod seen_statuses;
mod settle;
mod sign_order;
mod warnings;

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use prometheus_client::metrics::gauge::Gauge;
use tender_protocol::client::failure::causes;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

pub use self::one_process::claim_database;
pub use self::seen_statuses::seen_statuses;
pub use self::settle::settle_late_duplicate;
pub use self::sign_order::{OrderAndAddress, SignError, sign_order};
pub use self::warnings::warnings;
use crate::background::Background;
use crate::checkout::receipts::audience;
use crate::checkout::signing::LinkSigner;
use crate::config::{self, Config, Secret};
use crate::deliveries::Deliveries;
use crate::http::app::App;
use crate::http::assets::Assets;
use crate::http::connections::Connections;
use crate::http::credentials::Access;
use crate::http::limits::Limits;
use crate::http::routes;
use crate::http::stream_limits::StreamLimits;
use crate::ledger::Ledger;
use crate::metrics::Metrics;
use crate::service::Service;
use crate::service::tokens::Tokens;
use crate::statuses::Statuses;
use crate::store::Store;
use crate::tracking::Tracking;

/// How much longer than the service's timeout stopping may take.
const STOP_MARGIN: Duration = Duration::from_secs(5);

/// Connections of an address for the operator: enough for Prometheus or a load balancer, and a few
/// manual requests.
const OPERATOR_CONNECTIONS: usize = 16;

/// How long a connection for the operator may be idle, at most.
const OPERATOR_IDLE: Duration = Duration::from_secs(3);

/// A running proxy, until it is stopped or dropped.
pub struct Running {
    address: SocketAddr,
    operator: Option<OperatorListener>,
    serving: AbortOnDropHandle<()>,
    app: Arc<App>,
    stop_timeout: Duration,
}

/// An address for the operator, with connections of its own, so that it answers while all others
/// are taken. It is served until the process ends, so that the last requests can be counted.
struct OperatorListener {
    address: SocketAddr,
    _serving: AbortOnDropHandle<()>,
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
        Self(format!(
            "can't use {database:?}: {reason}; set another database with `database_url`"
        ))
    }

    fn client(error: &reqwest::Error) -> Self {
        Self(format!(
            "can't set up TLS ({}); are the system's CA certificates installed?",
            causes(error)
        ))
    }
}

/// Starts a proxy. It accepts requests when this function returns.
///
/// # Errors
/// [`StartError`].
pub async fn start(config: Config) -> Result<Running, StartError> {
    let checked = config.check();
    checked.map_err(|error| StartError(error.to_string()))?;
    let stop_timeout = config.upstream.timeout.saturating_add(STOP_MARGIN);
    warnings::log_risks(&config);
    open_files::raise_limit(&config);
    let app = Arc::new(open_app(config).await?);
    let operator = match app.server.metrics_listen {
        Some(address) => Some(OperatorListener::start(address, &app).await?),
        None => None,
    };

    let (listener, address) = bind("listen", app.server.listen).await?;
    let connections = Connections {
        max: app.server.max_connections,
        head_timeout: app.server.request_timeout,
        open: app.metrics.open_connections.clone(),
    };
    let router = routes::router(Arc::clone(&app));
    let serving = connections.serve(listener, router, app.background.stop.clone());
    tracing::info!(%address, "listening");
    Ok(Running {
        address,
        operator,
        serving: AbortOnDropHandle::new(tokio::spawn(serving)),
        app,
        stop_timeout,
    })
}

impl OperatorListener {
    async fn start(address: SocketAddr, app: &Arc<App>) -> Result<Self, StartError> {
        let (listener, address) = bind("metrics_listen", address).await?;
        let connections = Connections {
            max: OPERATOR_CONNECTIONS,
            head_timeout: app.server.request_timeout.min(OPERATOR_IDLE),
            open: Gauge::default(),
        };
        let routes = routes::operator_router(Arc::clone(app));
        let serving = connections.serve(listener, routes, CancellationToken::new());
        tracing::info!(%address, "listening for the operator");
        Ok(Self {
            address,
            _serving: AbortOnDropHandle::new(tokio::spawn(serving)),
        })
    }
}

/// Opens the database and starts the tasks in the background.
pub(crate) async fn open_app(config: Config) -> Result<App, StartError> {
    let metrics = Metrics::new();
    let background = Background::default();
    let stop_on_drop = background.stop.clone().drop_guard();
    let service = Service::new(&config, metrics.clone());
    let service = Arc::new(service.map_err(|error| StartError::client(&error))?);
    let store = Store::open(&config).await;
    let mut store = store.map_err(|error| StartError::database(&config, error))?;
    store.database.latency = metrics.database_duration_seconds.clone();
    tracing::info!(database = ?config.store.database, "the database is open");
    let statuses = Arc::new(Statuses::new(&config));
    let receipt_key = receipt_key(&store, &config).await?;
    let links = link_signer(&store, &config).await?;
    let tokens = Tokens::new(Arc::clone(&service), &config, metrics.clone());
    let tracking = Tracking::start(
        &config,
        Arc::clone(&service),
        Arc::clone(&statuses),
        store.clone(),
        &metrics,
        &background,
    );
    let tracking = tracking
        .await
        .map_err(|error| StartError::database(&config, error))?;
    let ledger = Ledger::new(
        &config,
        Arc::clone(&service),
        store.clone(),
        Arc::clone(&statuses),
        metrics.clone(),
        background.tasks.clone(),
    );
    let settling = ledger.clone().settle_until(background.stop.clone());
    background.tasks.spawn(settling);
    let deliveries =
        Deliveries::start(&config, Arc::clone(&statuses), store, &metrics, &background);
    let deliveries = deliveries.map_err(|error| StartError::client(&error))?;
    Ok(App {
        background,
        stop_on_drop,
        limits: Arc::new(Limits::new(&config)),
        streams: StreamLimits::new(&config.tracking),
        metrics,
        access: ArcSwap::from_pointee(Access::new(
            &config,
            &receipt_key,
            links.as_ref(),
            config.upstream.test_mode,
        )),
        receipt_key,
        links,
        tracking,
        deliveries,
        tokens: Arc::new(tokens),
        renderer: Arc::default(),
        statuses,
        ledger,
        service,
        assets: Assets::load(
            config.server.assets.as_deref(),
            config.server.shop_logo.as_ref(),
        )
        .map_err(|error| StartError(format!("can't read the directory in `assets`: {error}")))?,
        allow_unsigned_orders: config.orders.allow_unsigned,
        test_mode: config.upstream.test_mode,
        server: config.server,
    })
}

/// The key for receipts in the database. Its name also tells in which mode the database is used: with
/// one of the other mode, buyers would be shown the wallets of payments that were made in it.
async fn receipt_key(store: &Store, config: &Config) -> Result<Secret, StartError> {
    let is_test = config.upstream.test_mode;
    let failed = |error| StartError::database(config, error);
    if store.has_secret(audience(!is_test)).await.map_err(failed)? {
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
    let key = store.secret(audience(is_test)).await.map_err(failed)?;
    Ok(Secret::from(key))
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

/// Opens the database for a command. Does not create one.
async fn existing_database(config: &Config) -> Result<Store, StartError> {
    let unusable = |reason| StartError::database(config, reason);
    match &config.store.database {
        config::Database::Memory => return Err(unusable("it is in the memory of the proxy")),
        config::Database::File(path) if !path.exists() => {
            return Err(unusable("the file does not exist"));
        }
        _ => {}
    }
    let store = Store::open(config).await;
    store.map_err(|error| StartError::database(config, error))
}

/// Opens a socket and returns its actual address.
async fn bind(
    setting: &'static str,
    address: SocketAddr,
) -> Result<(TcpListener, SocketAddr), StartError> {
    let failed = |error| {
        StartError(format!(
            "can't listen on {address}: {error}; choose another address with `{setting}`"
        ))
    };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

impl Running {
    /// The address that the proxy listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address that serves the metrics and the health checks to the operator.
    #[must_use]
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.operator.as_ref().map(|listener| listener.address)
    }

    /// Replaces the keys, the credentials for the service and the meaning of statuses by those of
    /// `config`, without closing connections. Its other settings are ignored.
    pub fn reload(&self, config: &Config) {
        self.app.reload(config);
    }

    /// Stops accepting connections except health checks, which it answers as not ready, and waits for the requests and payments in progress, a little
    /// longer than the service's timeout at most. Returns whether all of them finished.
    pub async fn stop(mut self) -> bool {
        let Background { stop, tasks } = &self.app.background;
        // This also ends the event streams, which do not end by themselves.
        stop.cancel();
        let finishing = async {
            let _ = (&mut self.serving).await;
            tasks.close();
            tasks.wait().await;
        };
        tokio::time::timeout(self.stop_timeout, finishing)
            .await
            .is_ok()
    }
}
