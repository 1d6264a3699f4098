//! Tests of the programs in docs/fulfilment.md, which receive notifications: each runs with a PostgreSQL database, and
//! gets valid, repeated and forged ones.
//!
//! Languages that are not installed are skipped with a message. `cargo xtask test` installs all.

use reqwest::StatusCode;
use tender_programs::shops::{Example, GO, NODE, PHP, PYTHON, RUBY, Settings};

use crate::contract::contract;
use crate::delivery::{Delivery, paid};
use crate::receiver::{Receiver, settings};

/// The page's program in Rust.
const RUST: Example = Example {
    name: "Rust",
    folder: "examples/rust",
    variable: "CARGO",
    // Of the whole workspace, as this test: otherwise cargo builds all dependencies again, with other features.
    prepare: concat!(
        "cd '",
        env!("CARGO_MANIFEST_DIR"),
        "' && $CARGO build --quiet --workspace --example receive_notifications"
    ),
    probe: "true",
    run: concat!(
        "exec \"$(dirname '",
        env!("CARGO_BIN_EXE_tender-shop"),
        "')\"/examples/receive_notifications"
    ),
    reconcile: None,
};

/// The backend of the examples of frameworks.
const JAVASCRIPT: Example = Example {
    name: "JavaScript",
    folder: "examples",
    variable: "SHOP_NODE",
    prepare: "",
    probe: "node --version",
    run: "exec node shop.js dist",
    reconcile: None,
};

const ORDER_KEY_HINT: &str = "set ORDER_KEY to KID=SECRET, the same text as the proxy's order_key; \
                              SECRET has at least 32 characters";

async fn fulfils_once(example: &Example) {
    let Some(receiver) = Receiver::start(example, false).await else {
        return;
    };
    only_signed_ones_are_accepted(&receiver).await;
    each_event_is_understood(&receiver, false).await;
    a_paid_order_is_packed_once(&receiver).await;
    what_is_not_stored_is_sent_again(&receiver).await;

    let receiver = Receiver::start(example, true).await.unwrap();
    each_event_is_understood(&receiver, true).await;
}

/// Without an order key, a shop does not start.
fn needs_an_order_key(example: &Example) {
    for order_key in ["", "2026-02=too short", "a secret of 32 or more characters"] {
        let settings = Settings {
            order_key: order_key.to_owned(),
            ..settings()
        };
        let Some(output) = example.ends(&settings) else {
            return;
        };
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{order_key:?}: {said}");
        assert!(said.contains(ORDER_KEY_HINT), "{order_key:?}: {said}");
    }
}

async fn only_signed_ones_are_accepted(shop: &Receiver) {
    let contract = contract();
    shop.sell("INV-1", "48.50").await;
    let too_long = ("too long", Delivery::of(&" ".repeat(70_000)));
    for (name, delivery) in contract.deliveries(false).chain([too_long]) {
        let status = shop.post(&delivery).await;
        assert!(status.is_client_error(), "{name}: {status}");
    }
    assert_eq!(shop.notifications().await, 0);
    assert_eq!(shop.pack().await, None);

    // All have the same id.
    for (name, delivery) in contract.deliveries(true) {
        let status = shop.post(&delivery).await;
        assert!(status.is_success(), "{name}: {status}");
    }
    assert_eq!(shop.notifications().await, 1);
    assert_eq!(shop.pack().await.as_deref(), Some("INV-1"));
    assert_eq!(shop.pack().await, None);
}

async fn each_event_is_understood(shop: &Receiver, allow_test_mode: bool) {
    for case in contract().events(allow_test_mode) {
        if let Some(order) = &case.order {
            shop.place(order).await;
        }
        if let Some(earlier) = &case.earlier {
            shop.accepts(&Delivery::of(earlier)).await;
            shop.pack().await;
        }
        shop.accepts(&Delivery::of(&case.body)).await;
        let invoice = case.order.as_ref().map(|order| &order.invoice_number);
        let packed = invoice.filter(|_| case.expected.fulfil);
        assert_eq!(shop.pack().await.as_ref(), packed, "{}", case.name);
        let questions = Vec::from_iter(case.expected.question.clone());
        assert_eq!(shop.questions().await, questions, "{}", case.name);
        shop.answer_questions().await;
    }
}

async fn a_paid_order_is_packed_once(shop: &Receiver) {
    for (invoice, price) in [("INV-2", "48.50"), ("INV-3", "48.500000000000000001")] {
        shop.sell(invoice, price).await;
    }
    let delivery = Delivery::of(&paid("INV-2", "t-2", "48.50"));
    shop.accepts(&delivery).await;
    assert_eq!(shop.pack().await.as_deref(), Some("INV-2"));

    let count = shop.notifications().await;
    for _ in 0..3 {
        shop.accepts(&delivery).await;
    }
    shop.accepts(&delivery.repeated(-120)).await;
    assert_eq!(shop.notifications().await, count);
    // The same event from a database that was restored.
    shop.accepts(&Delivery::of(&paid("INV-2", "t-2", "48.50")))
        .await;
    assert_eq!(shop.pack().await, None);

    // Two that arrive at the same moment.
    let delivery = Delivery::of(&paid("INV-3", "t-3", "48.500000000000000001"));
    tokio::join!(shop.accepts(&delivery), shop.accepts(&delivery));
    assert_eq!(shop.pack().await.as_deref(), Some("INV-3"));
    assert_eq!(shop.pack().await, None);
    assert!(shop.questions().await.is_empty());
}

async fn what_is_not_stored_is_sent_again(shop: &Receiver) {
    shop.drop_tables().await;
    let status = shop
        .post(&Delivery::of(&paid("INV-1", "t-1", "48.50")))
        .await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
}

impl Receiver {
    async fn accepts(&self, delivery: &Delivery) {
        let status = self.post(delivery).await;
        assert!(status.is_success(), "{status}: {delivery:?}");
    }
}

#[test]
fn a_shop_without_a_usable_order_key_does_not_start() {
    for example in [NODE, PYTHON, RUBY, PHP, GO, JAVASCRIPT] {
        needs_an_order_key(&example);
    }
}

in_languages!(fulfils_once: node = NODE, python = PYTHON, ruby = RUBY, php = PHP, go = GO, rust = RUST);
