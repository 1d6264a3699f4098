//! What the merchant has besides the sample shop: pages of the test, and a webhook.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Html;
use axum::routing::{get, post};
use tokio::net::TcpListener;

/// A web server of the merchant that runs as long as the test's runtime.
pub(crate) struct Merchant {
    address: SocketAddr,
    desk: Desk,
}

/// State shared by the routes and the test.
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

    /// The origin of its pages.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Another origin for the same pages, with a different host name.
    pub(crate) fn other_origin(&self) -> String {
        format!("http://localhost:{}", self.address.port())
    }

    /// The address of the webhook.
    pub(crate) fn webhook(&self) -> String {
        format!("{}/webhook", self.origin())
    }

    /// Adds a page with this body, and returns its path.
    pub(crate) fn put_up(&self, body: &str) -> String {
        let mut pages = held(&self.desk.pages);
        pages.push(format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
             <title>A shop</title>{body}</html>"
        ));
        format!("/page/{}", pages.len() - 1)
    }

    /// The bodies received by the webhook.
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
