//! State that the routes share.

use std::ops::Deref;
use std::sync::Arc;

use arc_swap::ArcSwap;
use tokio_util::sync::DropGuard;

use crate::checkout::signing::LinkSigner;
use crate::config::{Config, Secret};
use crate::deliveries::Deliveries;
use crate::executor::Executor;
use crate::http::assets::Assets;
use crate::http::credentials::Access;
use crate::http::limits::Limits;
use crate::rendering::Renderer;
use crate::shared::Shared;
use crate::tokens::Tokens;
use crate::tracking::Tracking;

/// What the routes need. The server opens it.
pub(crate) struct App {
    pub(crate) shared: Arc<Shared>,
    pub(crate) access: ArcSwap<Access>,
    pub(crate) receipt_key: Secret,
    pub(crate) links: Option<LinkSigner>,
    pub(crate) limits: Limits,
    pub(crate) tokens: Tokens,
    pub(crate) renderer: Renderer,
    pub(crate) executor: Executor,
    pub(crate) tracking: Tracking,
    pub(crate) deliveries: Deliveries,
    pub(crate) assets: Assets,
    /// Stops the tasks in the background when the app is dropped.
    #[expect(dead_code, reason = "held for its drop")]
    pub(crate) stop_on_drop: DropGuard,
}

impl App {
    /// Whether the proxy runs in test mode: no real money moves, and its pages say so.
    pub(crate) fn is_test(&self) -> bool {
        self.config.upstream.test_mode
    }

    /// Replaces the keys, the credentials for the service and the meaning of statuses by those of
    /// `config`. Requests in progress keep the earlier keys.
    pub(crate) fn reload(&self, config: &Config) {
        let access = Access::new(
            config,
            &self.receipt_key,
            self.links.as_ref(),
            self.is_test(),
        );
        self.access.store(Arc::new(access));
        self.service.replace_headers(config.upstream.header_map());
        let secrets = config.notifications.secrets.clone();
        self.deliveries.replace_secrets(secrets);
        self.statuses.replace_mapping(config);
        self.tracking.mapping_replaced();
    }
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.shared
    }
}
