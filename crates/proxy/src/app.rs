//! What the routes share.

use std::sync::Arc;

use crate::access::Access;
use crate::assets::Assets;
use crate::attempts::Payments;
use crate::config::Config;
use crate::order::OrderKey;
use crate::receipt::Receipts;
use crate::server::StartError;
use crate::service::{Service, causes};
use crate::tokens::Tokens;

pub(crate) struct App {
    pub(crate) order_keys: Vec<OrderKey>,
    pub(crate) allow_unsigned_orders: bool,
    pub(crate) access: Access,
    pub(crate) service: Arc<Service>,
    pub(crate) tokens: Tokens,
    pub(crate) payments: Payments,
    pub(crate) assets: Assets,
}

impl App {
    pub(crate) fn new(config: Config) -> Result<Self, StartError> {
        let service =
            Arc::new(Service::new(&config).map_err(|error| StartError::Client(causes(&error)))?);
        Ok(Self {
            access: Access {
                receipts: Receipts::new(&config).map_err(|_| StartError::Randomness)?,
                merchant_keys: config.merchant_keys,
            },
            tokens: Tokens::new(Arc::clone(&service), config.token_cache),
            payments: Payments::new(Arc::clone(&service)),
            service,
            assets: Assets::load(config.assets.as_deref()).map_err(StartError::Assets)?,
            order_keys: config.order_keys,
            allow_unsigned_orders: config.allow_unsigned_orders,
        })
    }
}
