//! A proxy that is asked about orders.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Query, State};
use axum::http::header::LOCATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::receiver::MERCHANT_KEY;

/// What the proxy answers about an invoice number.
#[derive(Clone)]
pub(crate) enum Answer {
    Json(Value),
    Text(String),
    Status(StatusCode),
    /// The address, and a body that must not be believed, either.
    RedirectTo(String, Value),
}

impl Answer {
    fn nothing() -> Self {
        Self::Json(json!({ "payments": [], "doubts": [] }))
    }
}

/// Its answers, and what it was asked.
#[derive(Default)]
pub(crate) struct Proxy {
    answers: Mutex<BTreeMap<&'static str, Answer>>,
    asked: Mutex<Vec<String>>,
}

impl Proxy {
    /// Serves its answers at the address that is returned.
    pub(crate) async fn serve(self: &Arc<Self>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let routes = Router::new()
            .route("/api/v1/orders", get(answer))
            .with_state(Arc::clone(self));
        tokio::spawn(async { axum::serve(listener, routes).await });
        format!("http://{address}")
    }

    pub(crate) fn answers(&self, invoice: &'static str, answer: Answer) {
        self.answers.lock().unwrap().insert(invoice, answer);
    }

    /// What it was asked since the last call.
    pub(crate) fn take_asked(&self) -> BTreeSet<String> {
        let asked = std::mem::take(&mut *self.asked.lock().unwrap());
        let different = BTreeSet::from_iter(asked.clone());
        assert_eq!(different.len(), asked.len(), "{asked:?}");
        different
    }
}

async fn answer(
    State(proxy): State<Arc<Proxy>>,
    Query(mut query): Query<BTreeMap<String, String>>,
    headers: HeaderMap,
) -> Response {
    if headers["authorization"] != format!("Bearer {MERCHANT_KEY}") {
        return StatusCode::FORBIDDEN.into_response();
    }
    let invoice = query.remove("invoiceNumber").unwrap();
    let answer = proxy.answers.lock().unwrap().get(&*invoice).cloned();
    proxy.asked.lock().unwrap().push(invoice);
    match answer.unwrap_or_else(Answer::nothing) {
        Answer::Json(json) => json.to_string().into_response(),
        Answer::Text(text) => text.into_response(),
        Answer::Status(status) => status.into_response(),
        Answer::RedirectTo(address, json) => {
            (StatusCode::FOUND, [(LOCATION, address)], json.to_string()).into_response()
        }
    }
}
