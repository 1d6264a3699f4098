//! Tests of the programs in docs/fulfilment.md, which receive notifications: each runs with a PostgreSQL database, and
//! gets valid, repeated and forged ones.
//!
//! Languages that are not installed are skipped with a message. `cargo xtask test` installs all.

use reqwest::StatusCode;
use tender_programs::shops::{Example, GO, NODE, PHP, PYTHON, RUBY};

use crate::contract::contract;
use crate::delivery::{Delivery, paid};
use crate::programs::RUST;
use crate::receiver::Receiver;

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

async fn only_signed_ones_are_accepted(shop: &Receiver) {
    let contract = contract();
    shop.sell("INV-1", "48.50").await;
    let forged = contract.deliveries(false);
    let forged = forged.map(|(name, delivery)| (name, delivery, StatusCode::UNAUTHORIZED));
    let long = Delivery::of(&" ".repeat(70_000));
    let too_long = ("too long", long, StatusCode::PAYLOAD_TOO_LARGE);
    for (name, delivery, status) in forged.chain([too_long]) {
        let response = shop.response_to(&delivery).await;
        assert_eq!(response.status(), status, "{name}");
        // The log and the proxy get the reason.
        let answer = response.text().await.unwrap();
        let log = shop.program.output();
        let mut latest_first = log.lines().rev();
        let reason = latest_first.find_map(|line| line.split_once(" refused: "));
        let (_, reason) = reason.unwrap();
        assert!(
            answer.contains(reason) && reason.len() > 5,
            "{name}: {reason} {answer}"
        );
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
    for (invoice, price) in [
        ("INV-2", "48.50"),
        ("INV-3", "48.500000000000000001"),
        ("INV-4", "48.50"),
    ] {
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

    // The shop cancels what is paid, but not yet packed.
    shop.accepts(&Delivery::of(&paid("INV-4", "t-4", "48.50")))
        .await;
    shop.cancel("INV-4").await;
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

in_languages!(fulfils_once: node = NODE, python = PYTHON, ruby = RUBY, php = PHP, go = GO, rust = RUST);
