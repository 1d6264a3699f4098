//! The operator: starts and stops the proxy, kills its machine, and changes its settings.

use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::Router;
use futures_util::FutureExt as _;
use tokio::runtime::{self, Runtime};
use tokio::task::{AbortHandle, JoinHandle};
use tokio::time::{sleep, timeout};

use super::doors;
use super::network::{Network, SERVICE};
use super::shop::{self, Key};
use crate::config::{Config, OrderKey, Secret};
use crate::executor::Executor;
use crate::http::{App, routes};
use crate::server::open_app;
use crate::shared::Shared;
use crate::store::Store;
use crate::store::database::Database;
use crate::transport::{Transport, Transports};

pub(super) const MERCHANT_KEY: &str = "a merchant key of the tests, 32 characters or more";

/// How long the operator waits until the proxy has stopped: as the program does.
const STOP: Duration = Duration::from_secs(25);

/// A run of the proxy, from its start to its end.
pub(super) struct Run {
    runtime: Runtime,
    app: Arc<App>,
    pub(super) router: Router,
    /// The requests in progress.
    requests: Vec<JoinHandle<()>>,
}

/// Reading the settings takes long.
static DEFAULTS: LazyLock<Config> = LazyLock::new(|| {
    let url = format!("https://{SERVICE}");
    Config::new(&url, &url).unwrap()
});

/// What the operator has set.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Setup {
    /// Whether the statuses are mapped.
    pub(super) is_mapped: bool,
    /// The shop's newest key. The one before is still valid.
    pub(super) key: Key,
    /// The number of the first page of the service's list.
    pub(super) first_page: u32,
}

fn config(setup: Setup) -> Config {
    let Setup {
        is_mapped,
        key,
        first_page,
    } = setup;
    let mut config = DEFAULTS.clone();
    let keys = [key, key.saturating_sub(1)].map(shop::secret);
    config.orders.keys = (keys.iter())
        .map(|key| OrderKey::hs256(None, &Secret::from(&**key)))
        .collect();
    config.upstream.first_page = first_page;
    config.access.merchant_keys = vec![Secret::from(MERCHANT_KEY)];
    config.notifications.url = Some("https://shop.example/hooks".parse().unwrap());
    config.notifications.secrets = vec![Secret::from(
        "whsec_dGhlIG5vdGlmaWNhdGlvbiBzZWNyZXQgb2YgdGVzdHM=",
    )];
    let orders = &mut config.orders;
    for (list, status) in [
        (&mut orders.status_pending, "Confirming"),
        (&mut orders.status_underpaid, "Partly paid"),
        (&mut orders.status_paid, "Paid"),
        (&mut orders.status_closed, "Expired"),
    ] {
        list.extend(is_mapped.then(|| status.to_owned()));
    }
    config
}

impl Run {
    /// Starts the proxy with this database.
    pub(super) fn start(file: &Path, network: &Network, setup: Setup) -> Self {
        let runtime = runtime();
        let app = runtime.block_on(async {
            let (store, service) = open(file, network, setup).await;
            let transports = Transports {
                shop: service.clone(),
                service,
            };
            Arc::new(open_app(store, transports).await.unwrap())
        });
        Self {
            router: routes::router(Arc::clone(&app)),
            runtime,
            app,
            requests: Vec::new(),
        }
    }

    /// Time passes.
    pub(super) fn pass(&mut self, time: Duration) {
        self.runtime.block_on(async { sleep(time).await });
        self.requests.retain(|request| !request.is_finished());
    }

    /// Runs a request until the proxy ends.
    pub(super) fn spawn(&mut self, request: impl Future<Output = ()> + Send + 'static) {
        self.requests.push(self.runtime.spawn(request));
    }

    /// Reads a stream until it ends. The proxy does not wait for it.
    pub(super) fn spawn_stream(
        &mut self,
        reading: impl Future<Output = ()> + Send + 'static,
    ) -> AbortHandle {
        self.runtime.spawn(reading).abort_handle()
    }

    pub(super) fn reload(&mut self, setup: Setup) {
        self.runtime
            .block_on(async { self.app.reload(&config(setup)) });
    }

    /// Stops the proxy, as the program does. What it does then is not interrupted.
    pub(super) fn stop(mut self) {
        let requests = std::mem::take(&mut self.requests);
        self.runtime.block_on(async {
            self.app.stop.cancel();
            let finishing = async {
                for request in requests {
                    let _ = request.await;
                }
                self.app.tasks.close();
                self.app.tasks.wait().await;
            };
            let _ = timeout(STOP, finishing).await;
        });
        self.kill();
    }

    /// Ends the proxy in the middle of whatever it does.
    pub(super) fn kill(self) {
        doors::leave_runtime();
        let Self {
            runtime,
            app,
            router,
            ..
        } = self;
        let database = app.store.database.clone();
        drop(runtime);
        drop((app, router));
        close(&database);
    }
}

/// Closes the database file. Otherwise the next proxy of this process could not lock it.
fn close(database: &Database) {
    // It waits in place, so it is ready at once.
    let closed = doors::in_place(database.close()).now_or_never();
    closed.unwrap().unwrap();
}

/// Runs the command for after a restore, again if it fails.
pub(super) fn read_missing(file: &Path, network: &Network, setup: Setup) {
    let runtime = runtime();
    let database = runtime.block_on(async {
        let (store, service) = open(file, network, setup).await;
        let database = store.database.clone();
        let shared = Arc::new(Shared::new(store, service));
        let executor = Executor::start(&shared, Vec::new());
        while executor.restored().await.is_err() {
            sleep(Duration::from_secs(1)).await;
        }
        database
    });
    doors::leave_runtime();
    drop(runtime);
    close(&database);
}

fn runtime() -> Runtime {
    let mut builder = runtime::Builder::new_current_thread();
    builder.enable_time().start_paused(true).build().unwrap()
}

/// What a run begins with.
async fn open(file: &Path, network: &Network, setup: Setup) -> (Store, Transport) {
    doors::enter_runtime();
    let mut config = config(setup);
    // No page is shown, and reading the widget takes long.
    config.server.assets = Some(file.with_file_name("no assets"));
    let store = doors::in_place(Store::open_simulated(config, file)).await;
    let service = Transport::Simulated(Arc::new(network.clone()));
    (store, service)
}
