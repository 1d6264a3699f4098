//! Tests of the programs of docs/shops.md that ask the proxy about pending orders.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::get;
use serde_json::{Value, json};
use tender_programs::shops::{Example, GO, NODE, PHP, PYTHON, RUBY, Settings};
use tokio::net::TcpListener;

use crate::delivery::{in_test_mode, paid};
use crate::receiver::{MERCHANT_KEY, Receiver, settings};

/// What the proxy answers about each invoice number, and what it was asked.
#[derive(Default)]
struct Proxy {
    payments: Mutex<BTreeMap<&'static str, Vec<Value>>>,
    asked: Mutex<Vec<String>>,
}

impl Proxy {
    /// Serves its answers at the address that is returned.
    async fn serve(self: &Arc<Self>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let routes = Router::new()
            .route("/api/v1/orders", get(payments))
            .with_state(Arc::clone(self));
        tokio::spawn(async { axum::serve(listener, routes).await });
        format!("http://{address}")
    }

    /// What it was asked since the last call, sorted.
    fn take_asked(&self) -> Vec<String> {
        let mut asked = std::mem::take(&mut *self.asked.lock().unwrap());
        asked.sort();
        asked
    }
}

async fn payments(
    State(proxy): State<Arc<Proxy>>,
    Query(mut query): Query<BTreeMap<String, String>>,
    headers: HeaderMap,
) -> Result<String, StatusCode> {
    if headers["authorization"] != format!("Bearer {MERCHANT_KEY}") {
        return Err(StatusCode::FORBIDDEN);
    }
    let invoice = query.remove("invoiceNumber").unwrap();
    let payments = proxy.payments.lock().unwrap();
    let payments = payments.get(&*invoice).cloned().unwrap_or_default();
    proxy.asked.lock().unwrap().push(invoice);
    Ok(json!({ "payments": payments, "doubts": [] }).to_string())
}

/// The record of a paid payment, as the proxy's answer has it.
fn record(event: &str) -> Value {
    serde_json::from_str::<Value>(event).unwrap()["data"].clone()
}

fn paid_record(invoice: &str, transaction_id: &str) -> Value {
    record(&paid(invoice, transaction_id, "48.50"))
}

/// A record with another value of one field.
fn with(mut record: Value, field: &str, value: Value) -> Value {
    record[field] = value;
    record
}

async fn pays_what_is_its_own(example: &Example) {
    let Some(shop) = Receiver::start(example, false).await else {
        return;
    };
    let open = with(paid_record("INV-2 & 3", "t-2"), "state", json!("open"));
    let unsigned = with(paid_record("INV-4", "t-4"), "order", Value::Null);
    let other_order = with(
        paid_record("INV-5", "t-5"),
        "order",
        paid_record("INV-1", "t-5")["order"].clone(),
    );
    let test = record(&in_test_mode(&paid("INV-7", "t-7", "48.50")));
    let proxy = Arc::new(Proxy {
        payments: Mutex::new(BTreeMap::from([
            ("INV-1", vec![open.clone(), paid_record("INV-1", "t-1")]),
            ("INV-2 & 3", vec![open]),
            ("INV-4", vec![unsigned]),
            ("INV-5", vec![other_order]),
            ("INV-6", vec![record(&paid("INV-6", "t-6", "1.00"))]),
            ("INV-7", vec![test]),
            ("INV-8", vec![paid_record("INV-8", "t-8")]),
            ("INV-9", vec![paid_record("INV-9", "t-9")]),
        ])),
        asked: Mutex::default(),
    });
    let settings = Settings {
        proxy: proxy.serve().await,
        ..settings()
    };
    let reconcile = async |settings: &Settings| {
        let (example, settings, url) = (*example, settings.clone(), shop.database_url.clone());
        let run = move || example.reconciles(&settings, &url).unwrap();
        tokio::task::spawn_blocking(run).await.unwrap()
    };

    for invoice in [
        "INV-1",
        "INV-2 & 3",
        "INV-4",
        "INV-5",
        "INV-6",
        "INV-7",
        "INV-8",
    ] {
        shop.sell(invoice, "48.50").await;
    }
    shop.cancel("INV-8").await;
    shop.wait().await;
    // Its notification may still be under way.
    shop.sell("INV-9", "48.50").await;

    let refused = Settings {
        merchant_key: "another key".to_owned(),
        ..settings.clone()
    };
    let output = reconcile(&refused).await;
    assert!(!output.status.success(), "{output:?}");
    assert_eq!(shop.pack().await, None);

    let output = reconcile(&settings).await;
    assert!(output.status.success(), "{output:?}");
    let pending = ["INV-1", "INV-2 & 3", "INV-4", "INV-5", "INV-6", "INV-7"];
    assert_eq!(proxy.take_asked(), pending);
    assert_eq!(shop.pack().await.as_deref(), Some("INV-1"));
    assert_eq!(shop.pack().await, None);
    let mut questions = shop.questions().await;
    questions.sort();
    assert_eq!(questions, ["other amount", "test mode"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("order INV-6 needs a person: other amount"),
        "{said}"
    );

    // What is paid is asked for no more, no question is repeated, and what was open may be paid now.
    let later = vec![paid_record("INV-2 & 3", "t-2")];
    proxy.payments.lock().unwrap().insert("INV-2 & 3", later);
    let output = reconcile(&settings).await;
    assert!(output.status.success(), "{output:?}");
    assert_eq!(proxy.take_asked(), pending[1..]);
    assert_eq!(shop.pack().await.as_deref(), Some("INV-2 & 3"));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("needs a person"));
}

in_languages!(pays_what_is_its_own: node = NODE, python = PYTHON, ruby = RUBY, php = PHP, go = GO);
