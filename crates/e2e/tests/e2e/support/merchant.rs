//! What the merchant has besides the sample shop: pages of the test, and a backend.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Html;
use axum::routing::{get, post};
use tokio::net::TcpListener;

use super::wait::until;

/// A web server of the merchant that runs as long as the test's runtime.
pub(crate) struct Merchant {
    address: SocketAddr,
    received: Received,
}

/// State shared by the routes and the test.
#[derive(Clone, Default)]
struct Received {
    pages: Arc<Mutex<Vec<String>>>,
    notifications: Arc<Mutex<Vec<String>>>,
    answer: Arc<Mutex<StatusCode>>,
    /// The notifications that the backend has refused.
    refused: Arc<Mutex<usize>>,
}

impl Merchant {
    pub(crate) async fn open() -> Self {
        let received = Received::default();
        let router = Router::new()
            .route("/page/{number}", get(page))
            .route("/orders", post(notified))
            .with_state(received.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(axum::serve(listener, router).into_future());
        Self { address, received }
    }

    /// The origin of its pages.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Another origin for the same pages, with a different host name.
    pub(crate) fn other_origin(&self) -> String {
        format!("http://localhost:{}", self.address.port())
    }

    /// The address of a backend that receives the proxy's notifications.
    pub(crate) fn backend(&self) -> String {
        format!("{}/orders", self.origin())
    }

    /// What that backend answers; 200 at first.
    pub(crate) fn answer_with(&self, status: StatusCode) {
        *held(&self.received.answer) = status;
    }

    /// Adds a page with this body, and returns its path.
    pub(crate) fn put_up(&self, body: &str) -> String {
        let mut pages = held(&self.received.pages);
        pages.push(format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
             <title>A shop</title>{body}</html>"
        ));
        format!("/page/{}", pages.len() - 1)
    }

    /// Waits until that backend has refused a notification.
    pub(crate) async fn until_refused(&self) {
        until("a refused notification", async || {
            Ok((*held(&self.received.refused) > 0).then_some(()))
        })
        .await;
    }

    /// The bodies that the backend has accepted.
    pub(crate) fn notifications(&self) -> Vec<String> {
        held(&self.received.notifications).clone()
    }
}

async fn page(
    State(received): State<Received>,
    Path(number): Path<usize>,
) -> Result<Html<String>, StatusCode> {
    let page = held(&received.pages).get(number).cloned();
    page.map(Html).ok_or(StatusCode::NOT_FOUND)
}

async fn notified(State(received): State<Received>, body: String) -> StatusCode {
    let answer = *held(&received.answer);
    if answer.is_success() {
        held(&received.notifications).push(body);
    } else {
        *held(&received.refused) += 1;
    }
    answer
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap()
}
