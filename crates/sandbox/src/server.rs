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
use crate::service::{self, Service};
use crate::webhook;

/// A running sandbox. Dropping it stops it: it accepts no new connections, and open connections end
/// after their current call.
pub struct Sandbox {
    base_url: String,
    rates_base_url: String,
    controls: Controls,
    servers: JoinSet<()>,
    /// Dropping it signals the servers to stop.
    running: watch::Sender<()>,
}

/// Why the sandbox can't start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Binding an address failed.
    #[error("can't listen on {address}: {source}; choose another with {flag}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The flag that sets it.
        flag: &'static str,
        /// The error from the operating system.
        source: io::Error,
    },
    /// The HTTP client for the webhook can't be created.
    #[error("can't create the webhook client: {0}")]
    Client(#[from] reqwest::Error),
}

impl Sandbox {
    /// Starts the servers on both addresses.
    ///
    /// # Errors
    /// [`StartError`], usually because another program uses the port.
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
            let router = service::with_fallbacks(router, Arc::clone(&service));
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

    /// `{base_url}` of the service's document, without a trailing slash.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// `{rates_base_url}` of the service's document, without a trailing slash.
    pub fn rates_base_url(&self) -> &str {
        &self.rates_base_url
    }

    /// The controls for tests and demos.
    pub fn controls(&self) -> &Controls {
        &self.controls
    }

    /// Stops accepting connections and waits for the calls in progress.
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
        // An unspecified address can be bound but not called.
        reached_at.set_ip(match reached_at {
            SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    Ok((listener, format!("http://{reached_at}")))
}

async fn serve(listener: TcpListener, router: Router, mut stopped: watch::Receiver<()>) {
    let served = axum::serve(listener, router)
        // No value is ever sent; the wait ends when the sender is dropped.
        .with_graceful_shutdown(async move { while stopped.changed().await.is_ok() {} })
        .await;
    if let Err(failure) = served {
        error!(%failure, "a server of the sandbox failed");
    }
}
