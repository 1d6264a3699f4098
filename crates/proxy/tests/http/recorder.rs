//! A service that records requests exactly and sends a given response, for tests that the sandbox
//! can't do.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use tokio::net::TcpListener;

pub(crate) struct Recorder {
    pub(crate) address: String,
    requests: Arc<Mutex<Vec<Recorded>>>,
}

/// A request, unchanged.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    /// Method, path and query.
    pub(crate) line: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Recorder {
    /// Responds to every request with this body.
    pub(crate) async fn answering(body: &'static str) -> Self {
        Self::with(move || body.into_response()).await
    }

    /// Redirects every request.
    pub(crate) async fn redirecting(to: String) -> Self {
        Self::with(move || {
            (StatusCode::TEMPORARY_REDIRECT, [("location", to.clone())]).into_response()
        })
        .await
    }

    async fn with(answer: impl Fn() -> Response + Clone + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::<Mutex<Vec<Recorded>>>::default();
        let kept = Arc::clone(&requests);
        let router = Router::new().fallback(async move |request: Request| {
            let (head, body) = request.into_parts();
            let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
            kept.lock().unwrap().push(Recorded {
                line: format!("{} {}", head.method, head.uri),
                headers: head.headers,
                body: String::from_utf8(body.into()).unwrap(),
            });
            answer()
        });
        tokio::spawn(axum::serve(listener, router).into_future());
        Self { address, requests }
    }

    pub(crate) fn requests(&self) -> Vec<Recorded> {
        self.requests.lock().unwrap().clone()
    }

    /// The only request.
    #[track_caller]
    pub(crate) fn only(&self) -> Recorded {
        let requests = self.requests();
        assert_eq!(requests.len(), 1, "{requests:?}");
        requests[0].clone()
    }
}
