//! Accepts and serves connections, with limits on their number and on slow clients.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::map_request;
use axum::serve::Listener;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use prometheus_client::metrics::gauge::Gauge;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tower_http::add_extension::AddExtension;

use crate::http::client_ip::Peer;
use crate::http::unread_body;

/// Maximum size of request line and headers. Browsers and reverse proxies need less.
const MAX_HEAD: usize = 16 << 10;

const MAX_HEADERS: usize = 64;

/// How long a client may read nothing of a response.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Clone)]
pub(crate) struct Connections {
    /// Maximum number of open connections; further ones wait to be accepted.
    pub(crate) max: usize,
    /// Timeout for request headers, which also limits how long a connection may be idle.
    pub(crate) head_timeout: Duration,
    pub(crate) open: Gauge,
}

impl Connections {
    /// Serves connections until `stop` is cancelled, then waits for the requests in progress.
    pub(crate) async fn serve(
        self,
        mut listener: TcpListener,
        router: Router,
        stop: CancellationToken,
    ) {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(self.head_timeout)
            .max_header_size(MAX_HEAD)
            .max_headers(MAX_HEADERS);
        let router = router.layer(map_request(unread_body::read_after));
        let permits = Arc::new(Semaphore::new(self.max.min(Semaphore::MAX_PERMITS)));
        let connections = GracefulShutdown::new();
        let mut next = async || {
            let permit = Arc::clone(&permits).acquire_owned().await;
            (Listener::accept(&mut listener).await, permit)
        };
        loop {
            let ((stream, peer), permit) = tokio::select! {
                () = stop.cancelled() => break,
                next = next() => next,
            };
            // Responses are single small writes, so Nagle's algorithm would only delay them.
            let _ = stream.set_nodelay(true);
            let mut stream = TimeoutStream::new(stream);
            stream.set_write_timeout(Some(WRITE_TIMEOUT));
            let service = TowerToHyperService::new(AddExtension::new(router.clone(), Peer(peer)));
            let connection = http.serve_connection(TokioIo::new(Box::pin(stream)), service);
            let connection = connections.watch(connection);
            let open = self.open.clone();
            tokio::spawn(async move {
                open.inc();
                if let Err(error) = connection.await {
                    tracing::debug!(%error, "a connection was closed early");
                }
                open.dec();
                drop(permit);
            });
        }
        drop(listener);
        connections.shutdown().await;
    }
}
