//! A service that records requests exactly and sends a given response, for tests that the sandbox
//! can't do.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::response::IntoResponse;
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
    /// Responds to every request with this.
    pub(crate) async fn answering(
        answer: impl IntoResponse + Clone + Send + Sync + 'static,
    ) -> Self {
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
            answer.clone()
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
