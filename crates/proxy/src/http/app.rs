//! State that the routes share.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::task::AbortOnDropHandle;

use crate::checkout::attempts::Payments;
use crate::checkout::order::OrderKey;
use crate::checkout::receipts::Receipts;
use crate::config::Config;
use crate::config::Secret;
use crate::http::assets::Assets;
use crate::http::credentials::Access;
use crate::http::limits::Limits;
use crate::metrics::Metrics;
use crate::server::StartError;
use crate::service::tokens::Tokens;
use crate::service::{Service, causes};
use crate::store::attempts::{AttemptStore, Timeouts, spawn_pruning};
use crate::tracking::Tracking;

pub(crate) struct App {
    pub(crate) order_keys: Vec<OrderKey>,
    pub(crate) allow_unsigned_orders: bool,
    pub(crate) access: Access,
    pub(crate) limits: Limits,
    pub(crate) metrics: Metrics,
    /// Timeout for the body of a request.
    pub(crate) body_timeout: Duration,
    pub(crate) service: Arc<Service>,
    pub(crate) tokens: Tokens,
    pub(crate) payments: Payments,
    pub(crate) tracking: Tracking,
    pub(crate) webhook_secrets: Vec<Secret>,
    pub(crate) assets: Assets,
    /// Stops pruning when the app is dropped.
    #[expect(dead_code, reason = "held for its drop")]
    pruning: AbortOnDropHandle<()>,
}

impl App {
    pub(crate) async fn new(config: Config) -> Result<Self, StartError> {
        let metrics = Metrics::new();
        let service = Service::new(&config, metrics.clone());
        let service = Arc::new(service.map_err(|error| StartError::Client(causes(&error)))?);
        let store = AttemptStore::open(&config.database, Timeouts::new(&config)).await;
        let store = Arc::new(store.map_err(|error| StartError::database(&config, &error))?);
        tracing::info!(database = ?config.database, "the database is open");
        let receipts = Receipts::new(&config, &store).await;
        let tracking =
            Tracking::start(&config, Arc::clone(&service), store.database(), &metrics).await;
        let tracking = tracking.map_err(|error| StartError::database(&config, &error))?;
        Ok(Self {
            limits: Limits::new(&config),
            metrics,
            body_timeout: config.request_timeout,
            access: Access {
                receipts: receipts.map_err(|error| StartError::database(&config, &error))?,
                merchant_keys: config.merchant_keys,
            },
            tracking,
            webhook_secrets: config.webhook_secrets,
            tokens: Tokens::new(Arc::clone(&service), config.token_cache),
            payments: Payments::new(Arc::clone(&service), Arc::clone(&store)),
            service,
            pruning: spawn_pruning(store),
            assets: Assets::load(config.assets.as_deref()).map_err(StartError::Assets)?,
            order_keys: config.order_keys,
            allow_unsigned_orders: config.allow_unsigned_orders,
        })
    }
}
