//! What the parts of the proxy share.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::config::Config;
use crate::metrics::Metrics;
use crate::service::Service;
use crate::statuses::Statuses;
use crate::store::Store;
use crate::transport::Transport;

/// The settings, the database, the payment service and the tasks in the background.
pub(crate) struct Shared {
    /// As it was at the start. A reload replaces the keys, the credentials and the mapped statuses where they are used.
    pub(crate) config: Arc<Config>,
    pub(crate) metrics: Metrics,
    pub(crate) service: Service,
    pub(crate) store: Store,
    pub(crate) statuses: Statuses,
    /// Cancelled when the proxy will soon stop, and should get no more requests.
    pub(crate) draining: CancellationToken,
    /// Cancelled when the proxy begins to stop.
    pub(crate) stop: CancellationToken,
    /// What is finished before the process ends.
    pub(crate) tasks: TaskTracker,
}

impl Shared {
    /// `service` sends the requests to the payment service.
    pub(crate) fn new(mut store: Store, service: Transport) -> Self {
        let config = Arc::clone(&store.config);
        let metrics = Metrics::new();
        store.database.latency = metrics.database_duration_seconds.clone();
        Self {
            service: Service::new(&config, metrics.clone(), service),
            statuses: Statuses::new(&config, metrics.unmapped_statuses.clone()),
            draining: CancellationToken::new(),
            stop: CancellationToken::new(),
            tasks: TaskTracker::new(),
            config,
            metrics,
            store,
        }
    }
}
