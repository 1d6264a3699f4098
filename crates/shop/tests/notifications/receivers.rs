//! Tests of the programs in docs/fulfilment.md, which receive notifications: each runs with a PostgreSQL database, and
//! gets valid, repeated and forged ones.
//!
//! Languages that are not installed are skipped with a message. `cargo xtask test` installs all.

use reqwest::StatusCode;
use tender_programs::shops::{Example, GO, NODE, PHP, PYTHON, RUBY, Settings};

use crate::delivery::{Delivery, OTHER_SECRET, in_test_mode, paid};
use crate::receiver::{Receiver, settings};

/// The page's program in Rust.
const RUST: Example = Example {
    name: "Rust",
    folder: "examples/rust",
    variable: "CARGO",
    prepare: concat!("cd '", env!("CARGO_MANIFEST_DIR"), "'"),
    probe: "true",
    run: "exec $CARGO run --quiet --example receive_notifications",
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
    forged_ones_change_nothing(&receiver).await;
    a_paid_order_is_packed_once(&receiver).await;
    a_person_decides_the_rest(&receiver).await;
    what_is_not_stored_is_sent_again(&receiver).await;

    let receiver = Receiver::start(example, true).await.unwrap();
    receiver.sell("INV-1", "48.50").await;
    let event = in_test_mode(&paid("INV-1", "t-1", "48.50"));
    receiver.accepts(&Delivery::of(&event)).await;
    assert_eq!(receiver.pack().await.as_deref(), Some("INV-1"));
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

async fn forged_ones_change_nothing(shop: &Receiver) {
    shop.sell("INV-1", "48.50").await;
    let event = paid("INV-1", "t-1", "48.50");
    let changed = event.replace("48.50", "48.51");
    for (reason, delivery) in [
        (
            "another secret",
            Delivery::of(&event).signed_with(OTHER_SECRET),
        ),
        ("six minutes old", Delivery::of(&event).at(-360)),
        ("six minutes ahead", Delivery::of(&event).at(360)),
        ("another body", Delivery::of(&event).but_sends(&changed)),
        (
            "another id",
            Delivery::of(&event).but_has("webhook-id", "m-2"),
        ),
        (
            "another time",
            Delivery::of(&event).but_has("webhook-timestamp", "1"),
        ),
        (
            "no time",
            Delivery::of(&event).but_has("webhook-timestamp", "soon"),
        ),
        (
            "no signature",
            Delivery::of(&event).but_has("webhook-signature", ""),
        ),
        (
            "no version",
            Delivery::of(&event).but_has("webhook-signature", "v1"),
        ),
        (
            "not Base64",
            Delivery::of(&event).but_has("webhook-signature", "v1,%"),
        ),
        ("too long", Delivery::of(&" ".repeat(70_000))),
    ] {
        let status = shop.post(&delivery).await;
        assert!(status.is_client_error(), "{reason}: {status}");
    }
    assert_eq!(shop.notifications().await, 0);
    assert_eq!(shop.pack().await, None);
}

async fn a_paid_order_is_packed_once(shop: &Receiver) {
    for (invoice, price) in [("INV-2", "48.50"), ("INV-3", "48.500000000000000001")] {
        shop.sell(invoice, price).await;
    }
    // The service's own words mean nothing.
    let unmapped = paid("INV-2", "t-2", "48.50").replace(r#""state":"paid""#, r#""state":"open""#);
    for event in [
        unmapped.replace("payment.paid", "payment.updated"),
        unmapped,
        paid("INV-2", "t-2", "48.50").replace("payment.paid", "payment.closed"),
        paid("INV-2", "t-2", "48.50").replace("payment.paid", "payment.pending"),
        paid("INV-2", "t-2", "48.50").replace("paid\"", "underpaid\""),
    ] {
        shop.accepts(&Delivery::of(&event)).await;
    }
    assert_eq!(shop.pack().await, None);

    // A key that is being replaced signs, too. The amount has other digits, but is the same.
    let delivery = Delivery::of(&paid("INV-2", "t-2", "48.5"));
    let rotated = format!("v1,AAAA v9,what? {}", delivery.signature());
    shop.accepts(&delivery.but_has("webhook-signature", &rotated))
        .await;
    assert_eq!(shop.pack().await.as_deref(), Some("INV-2"));

    let count = shop.notifications().await;
    for _ in 0..3 {
        shop.accepts(&delivery).await;
    }
    shop.accepts(&delivery.at(-120)).await;
    assert_eq!(shop.notifications().await, count);
    // The same event from a database that was restored.
    shop.accepts(&Delivery::of(&paid("INV-2", "t-2", "48.5")))
        .await;
    assert_eq!(shop.pack().await, None);

    // Two that arrive at the same moment.
    let delivery = Delivery::of(&paid("INV-3", "t-3", "48.500000000000000001"));
    tokio::join!(shop.accepts(&delivery), shop.accepts(&delivery));
    assert_eq!(shop.pack().await.as_deref(), Some("INV-3"));
    assert_eq!(shop.pack().await, None);
    assert!(shop.questions().await.is_empty());
}

async fn a_person_decides_the_rest(shop: &Receiver) {
    for invoice in ["INV-4", "INV-5", "INV-6", "INV-8", "INV-9"] {
        shop.sell(invoice, "48.50").await;
    }
    shop.cancel("INV-4").await;
    for (question, event) in [
        ("second payment", paid("INV-2", "t-9", "48.50")),
        ("cancelled order", paid("INV-4", "t-4", "48.50")),
        // In floating point, they are the same.
        (
            "other amount",
            paid("INV-5", "t-5", "48.500000000000000001"),
        ),
        (
            "other amount",
            paid("INV-6", "t-6", "48.50").replace("usdtt", "kxp"),
        ),
        (
            "no signed order",
            paid("INV-8", "t-8", "48.50").replace(r#""order""#, r#""ordered""#),
        ),
        ("test mode", in_test_mode(&paid("INV-9", "t-9", "48.50"))),
        ("no such order", paid("INV-7", "t-7", "48.50")),
    ] {
        shop.accepts(&Delivery::of(&event)).await;
        assert_eq!(shop.questions().await, [question], "{event}");
        shop.answer_questions().await;
    }
    assert_eq!(shop.pack().await, None);
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

#[tokio::test]
async fn node() {
    fulfils_once(&NODE).await;
}

#[tokio::test]
async fn python() {
    fulfils_once(&PYTHON).await;
}

#[tokio::test]
async fn ruby() {
    fulfils_once(&RUBY).await;
}

#[tokio::test]
async fn php() {
    fulfils_once(&PHP).await;
}

#[tokio::test]
async fn go() {
    fulfils_once(&GO).await;
}

#[tokio::test]
async fn rust() {
    fulfils_once(&RUST).await;
}
