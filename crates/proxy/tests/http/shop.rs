//! The shop's backend: receives notifications, verifies their signatures with the library of Standard
//! Webhooks, and answers as a test wants.

use std::collections::{BTreeSet, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use standardwebhooks::Webhook;
use tender_proxy::{Config, Secret};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::task::AbortOnDropHandle;

pub(crate) const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// Longer than anything takes on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

pub(crate) struct Shop {
    address: SocketAddr,
    inbox: Arc<Mutex<Inbox>>,
    _serving: AbortOnDropHandle<()>,
}

#[derive(Default)]
struct Inbox {
    received: Vec<Received>,
    /// The next answers; 204 if there is none.
    answers: VecDeque<Reply>,
}

/// A notification with a valid signature.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) body: String,
    /// How many signatures it has.
    pub(crate) signatures: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Reply {
    Status(StatusCode),
    Text(StatusCode, &'static str),
    Redirect(String),
    RetryAfter(u32),
    /// 204, once this is closed.
    After(Arc<Semaphore>),
    /// No answer at all.
    Never,
}

impl Received {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub(crate) fn transaction_id(&self) -> String {
        let id = &self.json()["data"]["transactionId"];
        id.as_str().unwrap().to_owned()
    }
}

impl Shop {
    pub(crate) async fn open() -> Self {
        Self::open_at("127.0.0.1:0".parse().unwrap()).await
    }

    pub(crate) async fn open_at(address: SocketAddr) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let inbox = Arc::<Mutex<Inbox>>::default();
        let kept = Arc::clone(&inbox);
        let router = Router::new().fallback(async move |request: Request| {
            let (head, body) = request.into_parts();
            assert_eq!((head.method.as_str(), head.uri.path()), ("POST", "/hooks"));
            assert_eq!(head.headers["content-type"], "application/json");
            let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
            let webhook = Webhook::new(SECRET).unwrap();
            webhook.verify(&body, &head.headers).unwrap();
            let header = |name: &str| head.headers[name].to_str().unwrap().to_owned();
            let body = String::from_utf8(body.into()).unwrap();
            let json: Value = serde_json::from_str(&body).unwrap();
            let reply = {
                let mut inbox = kept.lock().unwrap();
                inbox.received.push(Received {
                    id: header("webhook-id"),
                    kind: json["type"].as_str().unwrap().to_owned(),
                    signatures: header("webhook-signature").split(' ').count(),
                    body,
                });
                inbox.answers.pop_front()
            };
            answer(reply).await
        });
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self {
            address,
            inbox,
            _serving: AbortOnDropHandle::new(serving),
        }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/hooks?shop=1", self.address)
    }

    /// Makes a proxy notify this shop.
    pub(crate) fn receives(&self, config: &mut Config) {
        config.notifications.url = Some(self.url().parse().unwrap());
        config.notifications.secrets = vec![Secret::from(SECRET)];
        config.notifications.timeout = Duration::from_secs(1);
    }

    /// Answers the next notifications like this.
    pub(crate) fn answers(&self, replies: impl IntoIterator<Item = Reply>) {
        self.inbox.lock().unwrap().answers.extend(replies);
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.inbox.lock().unwrap().received.clone()
    }

    /// The types of the notifications so far.
    pub(crate) fn kinds(&self) -> Vec<String> {
        let received = self.received().into_iter();
        received.map(|received| received.kind).collect()
    }

    /// Waits for this many notifications, repeated ones included.
    pub(crate) async fn until_received(&self, count: usize) -> Vec<Received> {
        self.until(|received| received.len() >= count).await
    }

    /// Waits for this many different ones.
    pub(crate) async fn until_different(&self, count: usize) -> Vec<Received> {
        let different = |received: &[Received]| {
            let ids: BTreeSet<_> = received.iter().map(|received| &received.id).collect();
            ids.len() >= count
        };
        self.until(different).await
    }

    async fn until(&self, is_enough: impl Fn(&[Received]) -> bool) -> Vec<Received> {
        let arrived = async {
            loop {
                let received = self.received();
                if is_enough(&received) {
                    return received;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let arrived = tokio::time::timeout(PATIENCE, arrived).await;
        arrived.unwrap_or_else(|_| panic!("received only {:?}", self.kinds()))
    }
}

async fn answer(reply: Option<Reply>) -> Response {
    match reply {
        None => StatusCode::NO_CONTENT.into_response(),
        Some(Reply::Status(status)) => status.into_response(),
        Some(Reply::Text(status, text)) => (status, text).into_response(),
        Some(Reply::Redirect(to)) => {
            (StatusCode::TEMPORARY_REDIRECT, [("location", to)]).into_response()
        }
        Some(Reply::RetryAfter(seconds)) => {
            let retry_after = [("retry-after", seconds.to_string())];
            (StatusCode::TOO_MANY_REQUESTS, retry_after).into_response()
        }
        Some(Reply::After(closed)) => {
            // It never has permits.
            let _ = closed.acquire().await;
            StatusCode::NO_CONTENT.into_response()
        }
        Some(Reply::Never) => std::future::pending().await,
    }
}
