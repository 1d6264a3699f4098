//! Tests of what the proxy knows of payments beyond the service's list.

use jiff::Timestamp;
use reqwest::Url;
use tender_protocol::ledger::{KnownPayment, Ledger, MAX_ASKED, Reason};
use tender_sandbox::Notification;

use crate::prelude::*;

impl World {
    async fn ask_ledger(&self, query: &str) -> Answer {
        let path = format!("{}{query}", path::LEDGER);
        Answer::to(self.by_merchant(Method::GET, &path)).await
    }

    pub(crate) async fn ledger(&self, ids: &[&str]) -> Ledger {
        let fields: Vec<_> = ids.iter().map(|id| format!("transactionId={id}")).collect();
        let query = format!("?{}", fields.join("&"));
        let answer = self.ask_ledger(&query).await;
        answer.succeeds();
        assert_eq!(answer.header("content-type"), "application/json");
        assert_eq!(answer.header("cache-control"), "no-store");
        Ledger::parse(&answer.body).unwrap()
    }

    /// What is known of a payment.
    async fn known(&self, id: &str) -> KnownPayment {
        let mut payments = self.ledger(&[id]).await.payments;
        assert_eq!(payments.len(), 1);
        payments.remove(0)
    }
}

fn time(text: Option<&str>) -> Timestamp {
    text.expect("a time").parse().unwrap()
}

#[tokio::test]
async fn a_payment_has_an_attempt_and_its_notifications() {
    let world = World::new().await;
    let before = Timestamp::now();
    let payment = world.begin("INV-1").await;
    world.begin("INV-2").await;
    for body in ["{}", "not JSON", r#"{"invoiceNumber":"INV-2"}"#] {
        world.notify(body).await;
    }
    let known = world.known(&payment.id).await;
    assert_eq!((known.notified_at, known.notifications), (None, 0));

    // Four notifications with this invoice, one of them repeated.
    for body in [
        r#"{"invoiceNumber":"INV-1"}"#,
        r#"{"invoiceNumber":"INV-1"}"#,
        r#"{"invoiceNumber":"INV-1","x":1}"#,
        "{\"invoiceNumber\":\"INV-1\\u0000\",\"x\":2}",
    ] {
        world.notify(body).await;
    }
    let known = world.known(&payment.id).await;
    assert_eq!(known.transaction_id, payment.id);
    assert_eq!((known.attempts, known.notifications), (Some(1), 4));
    // The database's clock has a resolution of milliseconds.
    let before = Timestamp::from_millisecond(before.as_millisecond()).unwrap();
    let first = time(known.first_attempt_at.as_deref());
    let notified = time(known.notified_at.as_deref());
    assert!(before <= first && first <= notified && notified <= Timestamp::now());

    // The service's own notification.
    let address = format!("http://{}/webhook/{WEBHOOK_SECRET}", world.proxy.address());
    let webhook: Url = address.parse().unwrap();
    let sandbox = world.sandbox.controls();
    sandbox.set_webhook(Some(webhook));
    let payment = world.begin("INV-3").await;
    let notified = sandbox.notification(&payment.id).await.unwrap();
    assert_eq!(notified, Notification::Answered { status: 200 });
    let known = world.known(&payment.id).await;
    assert_eq!((known.attempts, known.notifications), (Some(1), 1));
}

#[tokio::test]
async fn repeats_do_not_count_as_attempts() {
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    world.inject(responds(Endpoint::Create, StatusCode::BAD_REQUEST, "{}").once());
    let refused = world.pays_in("trx").await;
    refused.is_refused_as(ProblemCode::ServiceRefused);
    let first = world.begin("INV-1").await.id;
    assert_eq!(world.begin("INV-1").await.id, first);
    assert_eq!(world.known(&first).await.attempts, Some(2));
    let second = world.pays_in("btc").await.transaction_id();
    let known = [world.known(&first).await, world.known(&second).await];
    assert_eq!(known[0].attempts, Some(3));
    assert_eq!(known[1].attempts, Some(3));
    assert_eq!(known[0].first_attempt_at, known[1].first_attempt_at);

    // Another order, and an unsigned one, whose invoice number several buyers may share.
    let other = world.begin("INV-2").await;
    assert_eq!(world.known(&other.id).await.attempts, Some(1));
    let body = plain(json!({}));
    for _ in 0..2 {
        let unsigned = world.create(&body).await.transaction_id();
        assert_eq!(world.known(&unsigned).await.attempts, Some(1));
    }
}

#[tokio::test]
async fn an_unresolved_order_is_listed_until_it_is_resolved() {
    let world = World::new().await;
    assert_eq!(world.ledger(&[]).await, Ledger::default());
    let lost = |endpoint| Fault::new(Outcome::DropAnswer).on(endpoint).once();
    world.inject(lost(Endpoint::Create));
    let order = order(json!({ "invoiceNumber": "INV-7", "quantity": "25.00" }));
    let answer = world.create(&paying(&order)).await;
    answer.is_refused_as(ProblemCode::ServiceUnreachable);
    let doubt = world.ask_ledger("").await;
    doubt.has(r#""quantity":25.00"#);
    let doubt = Ledger::parse(&doubt.body).unwrap();
    let [open] = &*doubt.reconciling else {
        panic!("{doubt:?}");
    };
    assert_eq!(open.reason, Reason::CreateUnanswered);
    assert_eq!(open.invoice_number, "INV-7");
    assert_eq!((&*open.token, &*open.payment_token), ("usdtt", "trx"));
    assert_eq!(open.transaction_id, None);
    assert!(time(Some(&open.since)) <= Timestamp::now());
    assert!(!doubt.more);

    // The next request finds the payment in the list.
    let created = world.create(&paying(&order)).await;
    assert_eq!(world.ledger(&[]).await.reconciling, []);

    world.inject(lost(Endpoint::Cancel));
    let id = created.transaction_id();
    let answer = world.cancel(&id, MERCHANT_KEY).await;
    answer.is_refused_as(ProblemCode::ServiceUnreachable);
    let open = world.ledger(&[&id]).await.reconciling.remove(0);
    assert_eq!(open.reason, Reason::CancelUnanswered);
    assert_eq!(open.transaction_id.as_deref(), Some(&*id));
    world.cancel(&id, MERCHANT_KEY).await.succeeds();
    let known = world.ledger(&[&id]).await;
    assert_eq!(known.reconciling, []);
    assert_eq!(known.payments[0].attempts, Some(1));
}

/// As far as the proxy has read the list.
#[tokio::test]
async fn statuses_that_no_setting_maps_are_named() {
    let world = World::with(|config| config.orders.status_paid = vec!["Paid".to_owned()]).await;
    for (invoice, id, name) in [
        ("INV-1", "1", "Created"),
        ("INV-2", "2", "Paid"),
        ("INV-3", "5", "Cancelled"),
    ] {
        let payment = world.begin(invoice).await;
        world.set_status(&payment.id, id, name);
    }
    world.list("").await.succeeds();
    assert_eq!(world.ledger(&[]).await.unmapped_statuses, [""; 0]);
    for (invoice, id, name) in [("INV-4", "3", "paid"), ("INV-5", "4", "")] {
        let payment = world.begin(invoice).await;
        world.set_status(&payment.id, id, name);
    }
    world.list("").await.succeeds();
    assert_eq!(world.ledger(&[]).await.unmapped_statuses, ["paid", "4"]);
}

#[tokio::test]
async fn the_number_of_unresolved_orders_is_limited() {
    let world = World::new().await;
    world.inject(Fault::new(Outcome::DropRequest).on(Endpoint::Create));
    for number in 0..=100 {
        let order = order(json!({ "invoiceNumber": format!("INV-{number}") }));
        world.create(&paying(&order)).await;
    }
    let known = world.ledger(&[]).await;
    assert!(known.more);
    assert_eq!(known.reconciling.len(), 100);
    let mut since: Vec<_> = known.reconciling.iter().map(|open| &open.since).collect();
    assert!(since.is_sorted_by(|one, next| time(Some(one)) >= time(Some(next))));
    since.dedup();
    assert!(since.len() > 1);
}

#[tokio::test]
async fn payments_are_asked_for_by_id() {
    let world = World::new().await;
    let mut ids = Vec::new();
    for number in 0..25 {
        ids.push(world.begin(&format!("INV-{number}")).await.id);
    }
    // Duplicates and unknown payments.
    let mut asked: Vec<_> = ids.iter().map(String::as_str).collect();
    asked.extend([&*ids[0], "unknown", "%F0%9F%92%B8", "a'%22;--", "%25"]);
    let known = world.ledger(&asked).await.payments;
    let mut known: Vec<_> = known
        .into_iter()
        .map(|known| known.transaction_id)
        .collect();
    known.sort();
    ids.sort();
    assert_eq!(known, ids);

    let query = |count: usize| {
        let fields = (0..count).map(|number| format!("transactionId={number:036}"));
        format!("?{}", fields.collect::<Vec<_>>().join("&"))
    };
    world.ask_ledger(&query(MAX_ASKED)).await.succeeds();
    for query in [
        &*query(MAX_ASKED + 1),
        "?transactionId=",
        "?transactionId=a&transactionId",
        "?transactionId=a%00",
    ] {
        let answer = world.ask_ledger(query).await;
        answer.is_refused_for(ProblemCode::InvalidRequest, "`transactionId`");
    }
}
