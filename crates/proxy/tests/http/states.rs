//! Tests of the field `state`: what has ended is ended in every response.

use tender_protocol::{PaymentState, Record};

use crate::prelude::*;

impl World {
    /// The state of a payment in the merchant's list.
    async fn listed(&self, payment: &Followed) -> Option<String> {
        let answer = self.list("").await;
        let records: Vec<Value> = serde_json::from_str(&answer.body).unwrap();
        let mut records = records.iter();
        let record = records.find(|record| record["transactionId"] == *payment.id);
        record.unwrap()["state"].as_str().map(str::to_owned)
    }
}

/// Reads events until one has this state.
async fn until_state(stream: &mut Listener, state: &str) {
    loop {
        // Merchants' streams have events of other kinds, too.
        let event = stream.next_any().await.data;
        if event.contains(&format!(r#""state":"{state}""#)) {
            return;
        }
    }
}

async fn assert_state(world: &World, payment: &Followed, state: Option<&str>) {
    let record = world.latest(payment).await.record();
    assert_eq!(record.string("state").as_deref(), state);
    assert_eq!(world.listed(payment).await.as_deref(), state);
}

/// The service lists the first payment as "Created" forever.
#[tokio::test]
async fn a_replaced_payment_is_closed_for_everybody() {
    let mut world = World::persistent(fast_polling).await;
    let first = world.begin("INV-1").await;
    assert_state(&world, &first, None).await;
    let mut tab = world.listen(&first).await;
    let mut office = Listener::to(world.by_merchant(Method::GET, path::EVENTS)).await;

    // As the service documents it: the payment is still "Created".
    let cancelled = json!([first.with_status("1", "Created")]);
    world.inject(responds(Endpoint::Cancel, StatusCode::OK, cancelled).once());
    let second = world.pays_in("btc").await;
    assert_eq!(second.record().string("state"), None);
    until_state(&mut tab, "closed").await;
    until_state(&mut office, "closed").await;
    assert_eq!(world.open().len(), 2);
    assert_state(&world, &first, Some("closed")).await;
    drop(world.replace_proxy(|_| {}).await);
    assert_state(&world, &first, Some("closed")).await;
    let mut tab = world.listen(&first).await;
    until_state(&mut tab, "closed").await;
}

#[tokio::test]
async fn a_mapped_status_is_stated_everywhere() {
    let world = World::with(mapped_and_polled).await;
    let body = paying(&order(json!({})));
    let created = world.create_once("key", &body).await;
    assert_eq!(created.payment().state, Some(PaymentState::Open));
    let payment = Followed::from(&created);
    assert_state(&world, &payment, Some("open")).await;
    let mut tab = world.listen(&payment).await;
    until_state(&mut tab, "open").await;
    for (status, state) in [
        ("Seen", "open"),
        ("Confirming", "pending"),
        ("Partly", "underpaid"),
        ("Paid", "paid"),
        ("Packed", "paid"),
    ] {
        world.becomes(&payment, status);
        loop {
            let event = tab.next().await.data;
            if event.contains(status) {
                assert!(event.contains(&format!(r#""state":"{state}""#)), "{event}");
                break;
            }
        }
        assert_state(&world, &payment, Some(state)).await;
        for again in [
            world.create(&body).await,
            world.create_once("key", &body).await,
        ] {
            let again: Record = again.record();
            assert_eq!(again.string("state").as_deref(), Some(state));
            assert_eq!(again.string("transactionId"), Some(payment.id.clone()));
        }
    }
}

/// The stream continues after the restart, too.
#[tokio::test]
async fn a_status_may_be_mapped_while_payments_are_open() {
    let mut world = World::persistent(fast_polling).await;
    let payment = world.begin("INV-1").await;
    let mut tab = world.watch(&payment).await;
    world.set_status(&payment.id, "2", "Paid");
    let last = tab.next().await;
    assert_eq!(last.status(), "Paid");
    assert!(!last.data.contains("state"), "{}", last.data);
    let mapped_paid = |config: &mut Config| config.orders.status_paid = vec!["2".to_owned()];
    assert!(world.replace_proxy(mapped_paid).await.stop().await);
    tab.end().await;
    assert_state(&world, &payment, Some("paid")).await;
    let known = last.id.unwrap().to_string();
    let mut again = world.listen_after(&payment, &known).await;
    until_state(&mut again, "paid").await;
    world.becomes(&payment, "Packed");
    let packed = loop {
        // The stream may have begun before the proxy stored what the status means now, as an event of its own.
        let event = again.next().await;
        if event.status() != "Paid" {
            break event;
        }
    };
    assert_eq!(packed.status(), "Packed");
    assert!(packed.id > last.id);
}

/// A proxy that does not know whether a payment is still open reads the list before it shows the payment.
#[tokio::test]
async fn an_old_payment_is_not_shown_as_open() {
    let mut world = World::persistent(mapped).await;
    let first = world.begin("INV-1").await;
    assert!(world.replace_proxy(|_| {}).await.stop().await);
    let calls = world.calls(Endpoint::List);

    // The stored record is all there is.
    world.inject(responds(Endpoint::List, StatusCode::BAD_GATEWAY, ""));
    let repeated = world.pays_in("trx").await;
    assert_eq!(repeated.payment().state, Some(PaymentState::Open));
    world.sandbox.controls().clear_faults();

    let order = order(json!({}));
    for (status, state) in [
        ("Confirming", PaymentState::Pending),
        ("Paid", PaymentState::Paid),
    ] {
        assert!(world.replace_proxy(|_| {}).await.stop().await);
        world.becomes(&first, status);
        // After the first request, only the database is asked.
        for _ in 0..2 {
            let shown = match state {
                PaymentState::Pending => world.find(&order).await,
                _ => world.pays_in("trx").await,
            };
            assert_eq!(shown.transaction_id(), first.id);
            assert_eq!(shown.payment().state, Some(state));
        }
    }
    assert_eq!(world.calls(Endpoint::List), calls + 3);
    world.latest(&first).await.has("\"paid\"");
}

/// The service has ended the payment, so the order gets another one.
#[tokio::test]
async fn a_repeat_replaces_an_old_payment_that_has_ended() {
    let mut world = World::persistent(mapped).await;
    let first = world.begin("INV-1").await;
    assert!(world.replace_proxy(|_| {}).await.stop().await);
    world.becomes(&first, "Expired");
    let second = world.pays_in("trx").await;
    assert_ne!(second.transaction_id(), first.id);
    assert_eq!(second.payment().state, Some(PaymentState::Open));
}
