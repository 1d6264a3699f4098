//! The middleware of each call: counts it, applies a fault, checks the required header, and calls
//! the endpoint.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use futures_util::stream;
use tracing::{error, info};

use super::Service;
use crate::fault::{self, Endpoint, Fault, Outcome};
use crate::refusal::Refusal;

/// The response of [`Outcome::Html`].
const PAGE: &str = "<!doctype html><title>Maintenance</title><h1>We'll be back soon</h1>\n";

/// The middleware around an endpoint.
///
/// A call is handled to its end even if the caller disconnects. The caller can't know whether it
/// was, which is what tests need.
pub(super) async fn middleware(
    State((service, endpoint)): State<(Arc<Service>, Endpoint)>,
    request: Request,
    next: Next,
) -> Response {
    let call = tokio::spawn(async move {
        let fault = service.arrived(endpoint);
        let response = service.handle_with(&fault, endpoint, request, next).await;
        let status = response.status().as_u16();
        info!(?endpoint, outcome = ?fault.outcome, status, "call");
        response
    });
    call.await.unwrap_or_else(|failure| {
        error!(?endpoint, %failure, "the handler failed");
        Refusal::Internal.into_response()
    })
}

impl Service {
    /// Counts a call and returns the fault that affects it; the default has no effect.
    fn arrived(&self, endpoint: Endpoint) -> Fault {
        let mut state = self.state();
        state.requests.entry(endpoint).or_default().received += 1;
        fault::take(&mut state.faults, endpoint).unwrap_or_default()
    }

    async fn handle_with(
        &self,
        fault: &Fault,
        endpoint: Endpoint,
        request: Request,
        next: Next,
    ) -> Response {
        if let Some(gate) = &fault.gate {
            gate.opened().await;
        }
        wait(fault.delay_ms).await;
        let response = match &fault.outcome {
            Outcome::Respond(answer) => (
                answer.status,
                [(header::CONTENT_TYPE, "application/json")],
                answer.body.clone(),
            )
                .into_response(),
            Outcome::DropRequest => hang_up(),
            Outcome::Handle => self.handle(endpoint, request, next).await,
            Outcome::DropAnswer => {
                self.handle(endpoint, request, next).await;
                hang_up()
            }
            Outcome::Html => {
                self.handle(endpoint, request, next).await;
                Html(PAGE).into_response()
            }
            Outcome::Truncate => truncated(self.handle(endpoint, request, next).await).await,
        };
        wait(fault.hold_ms).await;
        response
    }

    async fn handle(&self, endpoint: Endpoint, request: Request, next: Next) -> Response {
        if let Some(required) = &self.config.require_header
            && !required.is_in(request.headers())
        {
            return Refusal::Unauthorized(required.name().to_string()).into_response();
        }
        self.state().requests.entry(endpoint).or_default().handled += 1;
        next.run(request).await
    }
}

async fn wait(milliseconds: u64) {
    // The timer never sleeps for less than a millisecond.
    if milliseconds > 0 {
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    }
}

/// Closes the connection without a response, like a crashed server or a broken network. HTTP can't express this: the
/// body fails before its first byte, and with it the connection, while the head is still in the buffer.
fn hang_up() -> Response {
    let failure: io::Result<Bytes> = Err(io::ErrorKind::ConnectionAborted.into());
    Response::new(Body::from_stream(stream::iter([failure])))
}

/// The response with the first half of its body, and a matching content length.
async fn truncated(response: Response) -> Response {
    let (mut head, body) = response.into_parts();
    match to_bytes(body, usize::MAX).await {
        Ok(whole) => {
            head.headers.remove(header::CONTENT_LENGTH);
            let half = whole.slice(..whole.len() / 2);
            Response::from_parts(head, Body::from(half))
        }
        Err(failure) => {
            error!(%failure, "can't read the response to truncate");
            Refusal::Internal.into_response()
        }
    }
}
