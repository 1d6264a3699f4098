//! Tests of the programs of docs/shops.md that ask the proxy about pending orders.

use std::collections::BTreeSet;
use std::process::Output;
use std::sync::Arc;

use axum::http::StatusCode;
use serde_json::{Value, json};
use tender_programs::shops::{Example, GO, NODE, PHP, PYTHON, RUBY, Settings};

use crate::delivery::{in_test_mode, paid};
use crate::proxy::{Answer, Proxy};
use crate::receiver::{Receiver, settings};

fn payments(payments: impl IntoIterator<Item = Value>) -> Answer {
    Answer::Json(json!({ "payments": Vec::from_iter(payments), "doubts": [] }))
}

fn doubt(since: &str) -> Answer {
    let doubt = json!({ "invoiceNumber": "INV", "since": since, "reason": "create-unanswered" });
    Answer::Json(json!({ "payments": [], "doubts": [doubt] }))
}

/// The answer of a proxy that knows every payment since then.
fn known_since<const N: usize>(memory: &str, payments: [Value; N]) -> Answer {
    let payments = Vec::from(payments);
    Answer::Json(json!({ "payments": payments, "doubts": [], "memorySince": memory }))
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

/// A shop and its proxy.
struct World {
    example: Example,
    shop: Receiver,
    proxy: Arc<Proxy>,
    settings: Settings,
}

impl World {
    /// `None` if the language is skipped.
    async fn open(example: &Example) -> Option<Self> {
        let shop = Receiver::start(example, false).await?;
        let proxy = Arc::<Proxy>::default();
        Some(Self {
            example: *example,
            shop,
            settings: Settings {
                proxy: proxy.serve().await,
                ..settings()
            },
            proxy,
        })
    }

    /// Sells to two hours old orders that the proxy answers about like this.
    async fn sells(&self, orders: impl IntoIterator<Item = (&'static str, Answer)>) {
        for (invoice, answer) in orders {
            self.shop.sell(invoice, "48.50").await;
            self.proxy.answers(invoice, answer);
        }
        self.shop.wait().await;
    }

    async fn run(&self, settings: &Settings) -> Output {
        let (example, settings) = (self.example, settings.clone());
        let url = self.shop.database_url.clone();
        let run = move || example.reconciles(&settings, &url).unwrap();
        tokio::task::spawn_blocking(run).await.unwrap()
    }

    /// Runs the program, which must succeed. Returns what it has said.
    async fn reconcile(&self) -> String {
        let output = self.run(&self.settings).await;
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    async fn packed(&self) -> BTreeSet<String> {
        let mut packed = BTreeSet::new();
        while let Some(invoice) = self.shop.pack().await {
            packed.insert(invoice);
        }
        packed
    }
}

fn set<const N: usize>(texts: [&str; N]) -> BTreeSet<String> {
    BTreeSet::from(texts.map(str::to_owned))
}

async fn pays_what_is_its_own(example: &Example) {
    let Some(world) = World::open(example).await else {
        return;
    };
    let open = with(paid_record("INV-2 & 3", "t-2"), "state", json!("open"));
    let pending = with(paid_record("INV-9", "t-9"), "state", json!("pending"));
    let paid_and_open = payments([open.clone(), paid_record("INV-1", "t-1")]);
    world
        .sells([
            ("INV-1", paid_and_open),
            ("INV-2 & 3", payments([open])),
            ("INV-8", payments([paid_record("INV-8", "t-8")])),
            ("INV-9", payments([with(pending, "sent", json!(1))])),
            ("INV-10", doubt("2999-01-01T00:00:00Z")),
            ("INV-11", payments([paid_record("INV-11", "t-11")])),
            ("INV-12", payments([paid_record("INV-12", "t-12")])),
        ])
        .await;
    let World { shop, proxy, .. } = &world;
    shop.cancel("INV-8").await;
    // A link of 90 days, and one that the proxy has forgotten.
    shop.made_long_ago("INV-11", "30 days").await;
    shop.made_long_ago("INV-12", "-31 days").await;
    // Its notification may still be under way.
    shop.sell("INV-13", "48.50").await;

    let refused = Settings {
        merchant_key: "another key".to_owned(),
        ..world.settings.clone()
    };
    let output = world.run(&refused).await;
    assert!(!output.status.success(), "{output:?}");
    assert_eq!(world.packed().await, set([]));

    let said = world.reconcile().await;
    let pending = ["INV-2 & 3", "INV-9", "INV-10"];
    let mut asked = set(pending);
    asked.extend(set(["INV-1", "INV-11"]));
    assert_eq!(proxy.take_asked(), asked);
    assert_eq!(world.packed().await, set(["INV-1", "INV-11"]));
    assert!(!said.contains("needs a person"), "{said}");

    // What is paid is asked for no more, and what was open may be paid now.
    proxy.answers("INV-2 & 3", payments([paid_record("INV-2 & 3", "t-2")]));
    world.reconcile().await;
    assert_eq!(proxy.take_asked(), set(pending));
    assert_eq!(world.packed().await, set(["INV-2 & 3"]));
    assert_eq!(shop.questions().await, [""; 0]);
}

/// Once, as the table in docs/fulfilment.md says.
async fn asks_a_person(example: &Example) {
    let Some(world) = World::open(example).await else {
        return;
    };
    let unsigned = with(paid_record("INV-1", "t-1"), "order", Value::Null);
    let of_another = paid_record("INV-9", "t-2")["order"].clone();
    let of_another = with(paid_record("INV-2", "t-2"), "order", of_another);
    let in_state = |invoice, id, state: &str| with(paid_record(invoice, id), "state", json!(state));
    let sent = |record| with(record, "sent", json!(2));
    let test = record(&in_test_mode(&paid("INV-4", "t-4", "48.50")));
    world
        .sells([
            ("INV-1", payments([unsigned])),
            ("INV-2", payments([of_another])),
            ("INV-3", payments([record(&paid("INV-3", "t-3", "1.00"))])),
            ("INV-4", payments([test])),
            ("INV-5", payments([in_state("INV-5", "t-5", "underpaid")])),
            ("INV-6", payments([sent(in_state("INV-6", "t-6", "open"))])),
            (
                "INV-7",
                payments([sent(in_state("INV-7", "t-7", "closed"))]),
            ),
            ("INV-8", doubt("2026-03-02T10:00:00.123Z")),
            ("INV-9", known_since("2099-03-02T10:00:00.123Z", [])),
            ("INV-10", known_since("2020-03-02T10:00:00.123Z", [])),
            (
                "INV-11",
                known_since(
                    "2099-03-02T10:00:00.123Z",
                    [in_state("INV-11", "t-11", "closed")],
                ),
            ),
            ("INV-12", payments([in_state("INV-12", "t-12", "unknown")])),
        ])
        .await;
    let said = world.reconcile().await;
    assert_eq!(world.packed().await, set([]));
    for (invoice, question) in [
        ("INV-1", "paid, but not signed for this order"),
        ("INV-2", "paid, but not signed for this order"),
        ("INV-3", "other amount"),
        ("INV-4", "test mode"),
        ("INV-5", "too little was paid"),
        ("INV-6", "money may have been sent"),
        ("INV-7", "money may have been sent"),
        ("INV-8", "in doubt: create-unanswered"),
        ("INV-9", "the proxy may not know its payment"),
        ("INV-11", "the proxy may not know its payment"),
        ("INV-12", "what became of it is not known"),
    ] {
        let line = format!("order {invoice} needs a person: {question}");
        assert!(said.contains(&line), "{line}: {said}");
    }
    assert_eq!(world.shop.questions().await.len(), 11);
    let said = world.reconcile().await;
    assert!(!said.contains("needs a person"), "{said}");

    // The rest has arrived.
    world
        .proxy
        .answers("INV-5", payments([paid_record("INV-5", "t-5")]));
    world.reconcile().await;
    assert_eq!(world.packed().await, set(["INV-5"]));
}

/// The program says which one failed, and fails at its end.
async fn one_bad_order_stops_no_other(example: &Example) {
    let Some(world) = World::open(example).await else {
        return;
    };
    let elsewhere = Arc::<Proxy>::default();
    let body = json!({ "payments": [paid_record("INV-R", "t-r")] });
    elsewhere.answers("INV-R", Answer::Json(body.clone()));
    let address = format!(
        "{}/api/v1/orders?invoiceNumber=INV-R",
        elsewhere.serve().await
    );
    let mut odd = paid_record("INV-U", "t-u").to_string();
    odd.truncate(odd.len() - 1);
    let odd = format!(r#"{{"payments":[{odd},"a\ud800":"\u0000\udc00","b":1e999999}}]}}"#);
    let bad = ["INV-0", "INV-J", "INV-N", "INV-R"];
    world
        .sells([
            ("INV-0", Answer::Status(StatusCode::INTERNAL_SERVER_ERROR)),
            ("INV-J", Answer::Text("no JSON".to_owned())),
            ("INV-N", payments([json!({ "state": "paid" })])),
            ("INV-R", Answer::RedirectTo(address, body)),
            ("INV-U", Answer::Text(odd)),
            ("INV-1", payments([paid_record("INV-1", "t-1")])),
        ])
        .await;
    let output = world.run(&world.settings).await;
    assert!(!output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(world.packed().await, set(["INV-1", "INV-U"]), "{said}");
    for invoice in ["INV-0", "INV-J", "INV-R"] {
        assert!(said.contains(&format!("order {invoice}: ")), "{said}");
    }
    assert_eq!(elsewhere.take_asked(), set([]), "it has got the key");
    let asked = world.proxy.take_asked();
    assert!(
        bad.iter().all(|invoice| asked.contains(*invoice)),
        "{asked:?}"
    );
}

mod payments_of_its_own {
    use super::*;

    in_languages!(pays_what_is_its_own: node = NODE, python = PYTHON, ruby = RUBY, php = PHP, go = GO);
}

mod questions {
    use super::*;

    in_languages!(asks_a_person: node = NODE, python = PYTHON, ruby = RUBY, php = PHP, go = GO);
}

mod failures {
    use super::*;

    in_languages!(one_bad_order_stops_no_other: node = NODE, python = PYTHON, ruby = RUBY, php = PHP, go = GO);
}
