//! The merchant's side that the sample shop does not have: pages of the test's own, and a webhook.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Html;
use axum::routing::{get, post};
use tokio::net::TcpListener;

/// A web server of the merchant, for as long as the test's runtime lives.
pub(crate) struct Merchant {
    address: SocketAddr,
    desk: Desk,
}

/// What the routes share with the test.
#[derive(Clone, Default)]
struct Desk {
    pages: Arc<Mutex<Vec<String>>>,
    notifications: Arc<Mutex<Vec<String>>>,
}

impl Merchant {
    pub(crate) async fn open() -> Self {
        let desk = Desk::default();
        let router = Router::new()
            .route("/page/{number}", get(page))
            .route("/webhook", post(notified))
            .with_state(desk.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(axum::serve(listener, router).into_future());
        Self { address, desk }
    }

    /// Where its pages come from.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The same pages from another origin: only the name of the host differs.
    pub(crate) fn other_origin(&self) -> String {
        format!("http://localhost:{}", self.address.port())
    }

    /// Where the service announces payments.
    pub(crate) fn webhook(&self) -> String {
        format!("{}/webhook", self.origin())
    }

    /// Puts a page up, around this body, and says at which path.
    pub(crate) fn put_up(&self, body: &str) -> String {
        let mut pages = held(&self.desk.pages);
        pages.push(format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
             <title>A shop</title>{body}</html>"
        ));
        format!("/page/{}", pages.len() - 1)
    }

    /// The bodies that came to the webhook.
    pub(crate) fn notifications(&self) -> Vec<String> {
        held(&self.desk.notifications).clone()
    }
}

async fn page(
    State(desk): State<Desk>,
    Path(number): Path<usize>,
) -> Result<Html<String>, StatusCode> {
    let page = held(&desk.pages).get(number).cloned();
    page.map(Html).ok_or(StatusCode::NOT_FOUND)
}

async fn notified(State(desk): State<Desk>, body: String) {
    held(&desk.notifications).push(body);
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap()
}
