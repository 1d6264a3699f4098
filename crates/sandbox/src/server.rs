//! Starts and stops the two servers.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tracing::error;

use crate::config::Config;
use crate::controls::{self, Controls};
use crate::hang_up::{HangUp, Line};
use crate::service::{self, Service};
use crate::webhook;

/// A running sandbox. It stops where this is dropped: no new connections, and those that are open
/// end with the call that they are at.
pub struct Sandbox {
    base_url: String,
    rates_base_url: String,
    controls: Controls,
    servers: JoinSet<()>,
    /// Its drop is the signal to stop.
    running: watch::Sender<()>,
}

/// Why the sandbox did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// An address can't be listened on.
    #[error("can't listen on {address}: {source}; choose another with {flag}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The flag that sets it.
        flag: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// The client for the webhook can't be set up.
    #[error("the client for the webhook can't be set up: {0}")]
    Client(#[from] reqwest::Error),
}

impl Sandbox {
    /// Listens on both addresses and serves the service from now on.
    ///
    /// # Errors
    /// [`StartError`], mostly because another program has the port.
    pub async fn start(config: Config) -> Result<Self, StartError> {
        let (payments, base_url) = listen(config.listen, "--listen").await?;
        let (rates, rates_base_url) = listen(config.rates_listen, "--rates-listen").await?;
        let service = Service::new(config, rates_base_url.clone(), webhook::client()?);
        let controls = Controls::new(Arc::clone(&service));
        let payments_router = service::payments(&service).merge(controls::routes(controls.clone()));
        let rates_router = service::rates(&service);

        let (running, stopped) = watch::channel(());
        let mut servers = JoinSet::new();
        for (listener, router) in [(payments, payments_router), (rates, rates_router)] {
            let router = service::with_refusals(router, Arc::clone(&service));
            servers.spawn(serve(listener, router, stopped.clone()));
        }
        Ok(Self {
            base_url,
            rates_base_url,
            controls,
            servers,
            running,
        })
    }

    /// `{base_url}` of the service's document, without a slash at its end.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// `{rates_base_url}` of the service's document, without a slash at its end.
    #[must_use]
    pub fn rates_base_url(&self) -> &str {
        &self.rates_base_url
    }

    /// What a test or a demo does to the sandbox.
    #[must_use]
    pub fn controls(&self) -> &Controls {
        &self.controls
    }

    /// Stops: takes no new connections and waits for the calls that are under way.
    pub async fn stop(self) {
        let Self {
            servers, running, ..
        } = self;
        drop(running);
        servers.join_all().await;
    }
}

async fn listen(
    address: SocketAddr,
    flag: &'static str,
) -> Result<(TcpListener, String), StartError> {
    let failed = |source| StartError::Listen {
        address,
        flag,
        source,
    };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let mut reached_at = listener.local_addr().map_err(failed)?;
    if reached_at.ip().is_unspecified() {
        // Listening everywhere is an address to bind, not one to call.
        reached_at.set_ip(match reached_at {
            SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    Ok((listener, format!("http://{reached_at}")))
}

async fn serve(listener: TcpListener, router: Router, mut stopped: watch::Receiver<()>) {
    let router = router.into_make_service_with_connect_info::<HangUp>();
    let served = axum::serve(Line(listener), router)
        // Nothing is ever sent: the wait ends where the sender is dropped.
        .with_graceful_shutdown(async move { while stopped.changed().await.is_ok() {} })
        .await;
    if let Err(failure) = served {
        error!(%failure, "a server of the sandbox failed");
    }
}
