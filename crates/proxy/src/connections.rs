//! Connections: how many, how long their other side may take, and how they end.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use prometheus_client::metrics::gauge::Gauge;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;

use crate::client_ip::Peer;

/// The most bytes of a request's line and headers: more than a browser and two proxies write.
const MAX_HEAD: usize = 16 << 10;

/// The most headers of a request.
const MAX_HEADERS: usize = 64;

/// How long the other side may take nothing of an answer.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

pub(crate) struct Connections {
    /// How many are served at once; more wait to be accepted.
    pub(crate) max: usize,
    /// How long the head of a request may take, and how long a connection may be idle.
    pub(crate) head_timeout: Duration,
    /// Those that are open.
    pub(crate) open: Gauge,
}

impl Connections {
    /// Serves until `stop`, and then until every request that has begun is answered.
    pub(crate) async fn serve(
        self,
        listener: TcpListener,
        router: impl HttpService,
        stop: CancellationToken,
    ) {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(self.head_timeout)
            .max_header_size(MAX_HEAD)
            .max_headers(MAX_HEADERS);
        let permits = Arc::new(Semaphore::new(self.max.min(Semaphore::MAX_PERMITS)));
        let connections = GracefulShutdown::new();
        let next = async || {
            let permit = Arc::clone(&permits).acquire_owned().await;
            (accept(&listener).await, permit)
        };
        loop {
            let ((stream, peer), permit) = tokio::select! {
                () = stop.cancelled() => break,
                next = next() => next,
            };
            let mut stream = TimeoutStream::new(stream);
            stream.set_write_timeout(Some(WRITE_TIMEOUT));
            let service = with_peer(router.clone(), peer);
            let connection = http.serve_connection(TokioIo::new(Box::pin(stream)), service);
            let connection = connections.watch(connection);
            let open = self.open.clone();
            tokio::spawn(async move {
                open.inc();
                if let Err(error) = connection.await {
                    tracing::debug!(%error, "a connection ended early");
                }
                open.dec();
                drop(permit);
            });
        }
        drop(listener);
        connections.shutdown().await;
    }
}

/// The router, told who calls.
fn with_peer(
    router: impl HttpService,
    peer: Peer,
) -> impl Service<hyper::Request<Incoming>, Response = Response, Error = Infallible, Future: Send> {
    let router = TowerToHyperService::new(router);
    service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(peer);
        router.call(request.map(Body::new))
    })
}

/// What answers requests: routes of axum.
pub(crate) trait HttpService:
    tower::Service<Request, Response = Response, Error = Infallible, Future: Send>
    + Clone
    + Send
    + 'static
{
}

impl<S> HttpService for S where
    S: tower::Service<Request, Response = Response, Error = Infallible, Future: Send>
        + Clone
        + Send
        + 'static
{
}

/// The next connection. What ended before it was accepted does not count; where the system has no
/// more room for one, it may have some in a moment.
async fn accept(listener: &TcpListener) -> (TcpStream, Peer) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // An answer is one small write: nothing is gained by waiting for more.
                let _ = stream.set_nodelay(true);
                return (stream, Peer(peer));
            }
            Err(error) if is_connection_error(&error) => {}
            Err(error) => {
                tracing::error!(%error, "can't accept connections; trying again");
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
        }
    }
}

fn is_connection_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}
