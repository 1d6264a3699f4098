//! The smallest proxy that the widget can do with: two routes, and the widget's files. Behind it is the
//! real one, which here stands for the service with a credential.

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

/// A web server, for as long as the test's runtime lives.
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

/// Says so in a way that a page of another origin may read: with a browser's leave to ask (the Fetch
/// standard, "CORS-preflight fetch").
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
