//! The smallest proxy that the widget supports: two routes and the widget's files. The real proxy behind it takes the
//! part of the service.

use std::net::SocketAddr;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::ACCESS_CONTROL_ALLOW_ORIGIN;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use tender_protocol::path;
use tokio::net::TcpListener;

/// A web server that runs as long as the test's runtime.
pub(crate) struct Forwarder {
    address: SocketAddr,
}

#[derive(Clone)]
struct Behind {
    url: String,
    client: reqwest::Client,
}

impl Forwarder {
    pub(crate) async fn before(url: &str) -> Self {
        let behind = Behind {
            url: url.to_owned(),
            client: reqwest::Client::new(),
        };
        let router = Router::new()
            .route(path::TOKENS, any(forward))
            .route(path::PAYMENT, any(forward))
            .route("/v1/{*path}", get(forward))
            .fallback(nothing)
            .with_state(behind);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(axum::serve(listener, router).into_future());
        Self { address }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

/// Sends an error response that pages of other origins can read, and answers preflight requests (the Fetch standard,
/// "CORS-preflight fetch").
async fn nothing(behind: State<Behind>, request: Request) -> Response {
    if request.method() == Method::OPTIONS {
        return forward(behind, request).await;
    }
    (StatusCode::NOT_FOUND, [(ACCESS_CONTROL_ALLOW_ORIGIN, "*")]).into_response()
}

async fn forward(State(behind): State<Behind>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let answer = behind
        .client
        .request(head.method, format!("{}{}", behind.url, head.uri))
        .headers(head.headers)
        .body(body)
        .send()
        .await
        .unwrap();
    let (status, headers) = (answer.status(), answer.headers().clone());
    let body = Body::from(answer.bytes().await.unwrap());
    (status, headers, body).into_response()
}
