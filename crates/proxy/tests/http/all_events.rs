//! Tests of the event stream of all payments.

use std::time::Instant;

use tender_protocol::Payment;

use crate::listener::{StreamEvent, until_accepted};
use crate::prelude::*;

impl World {
    fn watching_all(&self) -> reqwest::RequestBuilder {
        self.by_merchant(Method::GET, path::EVENTS)
    }

    /// Opens a merchant's stream. Returns it and the id that it starts after.
    pub(crate) async fn watch_all(&self) -> (Listener, i64) {
        begin(self.watching_all()).await
    }

    async fn watch_all_after(&self, known: &str) -> (Listener, i64) {
        begin(self.watching_all().header("last-event-id", known)).await
    }

    /// Creates a payment at the service directly.
    pub(crate) async fn create_elsewhere(&self, invoice_number: &str) -> String {
        let body = plain(json!({ "invoiceNumber": invoice_number, "quantity": 25 }));
        let url = format!("{}{}", self.sandbox.base_url(), path::PAYMENT);
        let answer = reqwest::Client::new().post(url).json(&body).send().await;
        let text = answer.unwrap().text().await.unwrap();
        Payment::parse(&text).unwrap().transaction_id
    }
}

async fn begin(request: reqwest::RequestBuilder) -> (Listener, i64) {
    let mut listener = Listener::to(request).await;
    let first = listener.next_any().await;
    assert_eq!((&*first.event, &*first.data), ("", ""));
    (listener, first.id.unwrap())
}

impl Listener {
    /// The next event, which must be of this kind, and about a payment with this status.
    async fn announces(&mut self, kind: &str, id: &str, status: &str) -> StreamEvent {
        let event = self.next_any().await;
        let payment = Payment::parse(&event.data).unwrap();
        let about = (&*payment.transaction_id, payment.status.text());
        assert_eq!((&*event.event, about), (kind, (id, status)));
        event
    }
}

#[tokio::test]
async fn a_merchants_stream_has_every_payment_and_change() {
    let world = World::with(fast_polling).await;
    let (mut merchant, before) = world.watch_all().await;
    assert_eq!(merchant.response.headers()["cache-control"], "no-store");
    assert_eq!(merchant.response.headers()["x-accel-buffering"], "no");

    let mine = world.begin("INV-1").await;
    let mut buyer = world.listen(&mine).await;
    assert_eq!(buyer.next().await.status(), "Created");
    let created = merchant.announces("created", &mine.id, "Created").await;
    assert!(mine.record.contains("quantityPay") && created.data == mine.record);

    let elsewhere = world.create_elsewhere("INV-2").await;
    let seen = merchant.announces("created", &elsewhere, "Created").await;

    world.becomes(&mine, "Paid");
    let paid = merchant.announces("status", &mine.id, "Paid").await;
    let ids = [Some(before), created.id, seen.id, paid.id];
    assert!(ids.is_sorted_by(|one, next| one < next), "{ids:?}");
    // The buyer gets only the change.
    let event = buyer.next().await;
    assert_eq!((event.id, &*event.status()), (paid.id, "Paid"));
    // Only once.
    assert!(merchant.is_silent_for(SEVERAL_CYCLES).await);
    assert!(buyer.is_silent_for(SEVERAL_CYCLES / 6).await);

    // A reconnected client gets the later events. The merchant may see any payment.
    let known = seen.id.unwrap().to_string();
    let (mut again, from) = world.watch_all_after(&known).await;
    assert_eq!(Some(from), seen.id);
    assert_eq!(again.next_any().await, paid);
    let read = world.read(&elsewhere, MERCHANT_KEY).await;
    assert_eq!(read.transaction_id(), elsewhere);
    // An invalid id starts at the latest event.
    for id in ["99999", "-1", "x"] {
        let (mut stranger, from) = world.watch_all_after(id).await;
        assert_eq!(Some(from), paid.id);
        assert!(stranger.is_silent_for(SEVERAL_CYCLES / 6).await);
    }
}

#[tokio::test]
async fn the_first_page_is_polled_for_a_merchant() {
    let world = World::with(fast_polling).await;
    for number in 0..25 {
        world.create_elsewhere(&format!("INV-{number}")).await;
    }
    tokio::time::sleep(SEVERAL_CYCLES).await;
    assert_eq!(world.calls(Endpoint::List), 0);
    let (mut merchant, _) = world.watch_all().await;
    for _ in 0..20 {
        assert_eq!(merchant.next_any().await.event, "created");
    }
    assert!(merchant.is_silent_for(SEVERAL_CYCLES).await);
    world.until_called(Endpoint::List, 3).await;
}

#[tokio::test]
async fn more_merchants_cause_no_more_polls() {
    let interval = Duration::from_millis(200);
    let world = World::with(|config| {
        fast_polling(config);
        config.tracking.poll_interval = interval;
    })
    .await;
    let mut merchants = Vec::new();
    for _ in 0..20 {
        merchants.push(world.watch_all().await.0);
    }
    let (begun, before) = (Instant::now(), world.calls(Endpoint::List));
    world.until_called(Endpoint::List, before + 5).await;
    let calls = world.calls(Endpoint::List) - before;
    let most = begun.elapsed().as_millis() / interval.as_millis() + 1;
    assert!(u128::from(calls) <= most, "{calls} calls, and not {most}");
    let payment = world.begin("INV-1").await;
    for merchant in &mut merchants {
        merchant.announces("created", &payment.id, "Created").await;
    }
}

/// The merchant's stream is at one instance, the buyer at another, which also gets the
/// notification.
#[tokio::test]
async fn every_instance_sends_all_events() {
    let mut world = World::persistent(fast_polling).await;
    let (mut merchant, _) = world.watch_all().await;
    let watched = world.replace_proxy(|_| {}).await;
    let payment = world.begin("INV-1").await;
    merchant.announces("created", &payment.id, "Created").await;
    // A notification tells the client to fetch the ledger again.
    for body in [
        r#"{"invoiceNumber":"INV-1"}"#,
        r#"{"invoiceNumber":"INV-2"}"#,
    ] {
        world.notify(body).await;
        let nudge = merchant.next_any().await;
        let nudge = (&*nudge.event, nudge.id, &*nudge.data);
        assert_eq!(nudge, ("ledger", None, "{}"));
    }
    // Another one for the same invoice is no news.
    world.notify(r#"{"invoiceNumber":"INV-2"}"#).await;
    assert!(merchant.is_silent_for(2 * SEVERAL_CYCLES).await);
    world.becomes(&payment, "Paid");
    let event = merchant.announces("status", &payment.id, "Paid").await;

    // A stop ends the stream, and the other instance continues it.
    assert!(watched.stop().await);
    merchant.end().await;
    let known = event.id.unwrap().to_string();
    let (mut merchant, _) = world.watch_all_after(&known).await;
    world.becomes(&payment, "Refunded");
    merchant.announces("status", &payment.id, "Refunded").await;
}

/// Whatever buyers do with their receipts, the merchant gets streams; and none after the limit.
#[tokio::test]
async fn the_merchant_has_streams_of_its_own() {
    let world = World::with(|config| {
        fast_polling(config);
        config.tracking.max_streams = 1;
    })
    .await;
    let payment = world.begin("INV-1").await;
    let _buyer = world.listen(&payment).await;
    let mut merchant = Vec::new();
    for _ in 0..32 {
        merchant.push(world.watch_all().await);
    }
    let refused = Answer::to(world.watching_all()).await;
    refused.is_refused_as(ProblemCode::StreamsFull);
    let receipt = Answer::to(world.listening(&payment)).await;
    receipt.is_refused_as(ProblemCode::StreamsFull);
    merchant.pop();
    until_accepted(|| world.watching_all()).await;
}
