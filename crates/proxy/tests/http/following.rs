//! The record of a payment, and the stream of its changes.

use std::time::Duration;

use axum::http::StatusCode;
use reqwest::Method;
use serde_json::json;
use tender_protocol::{ProblemCode, Status, path};
use tender_proxy::{Config, Secret};
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::listener::Listener;
use crate::support::{Answer, World, order, paying};

pub(crate) const MERCHANT_KEY: &str = "a merchant key of the tests, 32 characters or more";
pub(crate) const WEBHOOK_SECRET: &str = "a-webhook-secret-of-the-tests-32-characters-or-more";

/// Time enough for many rounds.
const A_WHILE: Duration = Duration::from_millis(600);

pub(crate) fn quick(config: &mut Config) {
    config.poll_interval = Duration::from_millis(50);
    config.merchant_keys = vec![Secret::from(MERCHANT_KEY)];
    config.webhook_secrets = vec![Secret::from(WEBHOOK_SECRET)];
}

/// A configuration that does not look by itself in this test.
pub(crate) fn rare(config: &mut Config) {
    quick(config);
    config.poll_interval = Duration::from_hours(1);
}

pub(crate) struct Paid {
    pub(crate) id: String,
    pub(crate) receipt: String,
    /// The record, without the receipt.
    pub(crate) record: String,
}

impl World {
    pub(crate) async fn begin(&self, invoice_number: &str) -> Paid {
        let order = order(json!({ "invoiceNumber": invoice_number }));
        let created = self.create(&paying(&order)).await;
        let receipt = created.receipt();
        let record = created
            .body
            .replace(&format!(r#","receipt":"{receipt}""#), "");
        assert!(!record.contains("receipt"));
        Paid {
            id: created.transaction_id(),
            receipt,
            record,
        }
    }

    async fn look(&self, payment: &str, token: &str) -> Answer {
        let path = format!("{}/{payment}", path::PAYMENT);
        Answer::to(self.request(Method::GET, &path).bearer_auth(token)).await
    }

    pub(crate) fn listening(&self, payment: &Paid) -> reqwest::RequestBuilder {
        let Paid { id, receipt, .. } = payment;
        let path = format!("{}/{id}/events?receipt={receipt}", path::PAYMENT);
        self.request(Method::GET, &path)
    }

    pub(crate) async fn listen(&self, payment: &Paid) -> Listener {
        Listener::to(self.listening(payment)).await
    }

    /// Listens, and has heard what is.
    async fn watch(&self, payment: &Paid) -> Listener {
        let mut listener = self.listen(payment).await;
        listener.next().await;
        listener
    }

    async fn listen_after(&self, payment: &Paid, id: &str) -> Listener {
        Listener::to(self.listening(payment).header("last-event-id", id)).await
    }

    pub(crate) fn becomes(&self, payment: &Paid, status: &str) {
        let status = Status::new("7", status).unwrap();
        let controls = self.sandbox.controls();
        controls.set_status(&payment.id, status).unwrap();
    }

    /// Waits until the record says so.
    async fn until_it_is(&self, payment: &Paid, status: &str) -> Answer {
        loop {
            let answer = self.look(&payment.id, &payment.receipt).await;
            if answer.payment().status.text() == status {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(crate) async fn notify(&self, secret: &str, body: &'static str) -> Answer {
        let path = format!("/webhook/{secret}");
        Answer::to(self.request(Method::POST, &path).body(body)).await
    }

    pub(crate) async fn until_called_so_often(&self, calls: u64) {
        while self.calls(Endpoint::List) < calls {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// A proxy, a payment at it, and someone who watches that.
async fn watched(configure: fn(&mut Config)) -> (World, Paid, Listener) {
    let world = World::with(configure).await;
    let payment = world.begin("INV-1").await;
    let listener = world.watch(&payment).await;
    (world, payment, listener)
}

#[tokio::test]
async fn the_latest_record_is_as_the_service_wrote_it() {
    let world = World::with(quick).await;
    let payment = world.begin("INV-1").await;
    let first = world.look(&payment.id, &payment.receipt).await;
    assert_eq!(first.status, StatusCode::OK);
    assert_eq!(first.body, payment.record);
    assert_eq!(first.header("content-type"), "application/json");
    assert_eq!(first.header("cache-control"), "no-store");

    // Fields that nobody documented, and digits that a float would lose.
    let written = format!(
        r#"{{"x":[1.10, 1e-8],"transactionId":"{}","token":"USDTT","paymentToken":"TRX","quantity":25.00,"quantityPay":80.645161290000000001,"statusId":"9","statusText":"Odd","wallet":"T"}}"#,
        payment.id
    );
    let list = Fault::respond(StatusCode::OK, format!("[{written}]"));
    world.inject(list.on(Endpoint::List));
    let answer = world.until_it_is(&payment, "Odd").await;
    assert_eq!(answer.body, written);
    let merchant = world.look(&payment.id, MERCHANT_KEY).await;
    assert_eq!(merchant.body, written);
}

#[tokio::test]
async fn a_payment_is_its_buyers_and_the_merchants() {
    let world = World::with(quick).await;
    let mine = world.begin("INV-1").await;
    let other = world.begin("INV-2").await;
    for path in [
        format!("{}/{}", path::PAYMENT, mine.id),
        format!("{}/{}/events", path::PAYMENT, mine.id),
    ] {
        let request = || world.request(Method::GET, &path);
        let refused = Answer::to(request()).await;
        refused.is_refused_as(ProblemCode::CredentialsMissing);
        for token in [&other.receipt, "wrong"] {
            let refused = Answer::to(request().bearer_auth(token)).await;
            refused.is_refused_as(ProblemCode::CredentialsInvalid);
        }
    }
    // An address is no place for a merchant key.
    let path = format!("{}/{}/events", path::PAYMENT, mine.id);
    for receipt in [other.receipt, MERCHANT_KEY.replace(' ', "%20")] {
        let request = world.request(Method::GET, &format!("{path}?receipt={receipt}"));
        let refused = Answer::to(request).await;
        refused.is_refused_as(ProblemCode::CredentialsInvalid);
    }
    let events = world.request(Method::GET, &path).bearer_auth(MERCHANT_KEY);
    assert_eq!(Listener::to(events).await.next().await.data, mine.record);
}

#[tokio::test]
async fn what_was_not_created_here_is_unknown() {
    let world = World::with(quick).await;
    world
        .look("unknown", MERCHANT_KEY)
        .await
        .is_refused_as(ProblemCode::PaymentUnknown);
    let path = format!("{}/unknown/events", path::PAYMENT);
    let request = world.request(Method::GET, &path).bearer_auth(MERCHANT_KEY);
    Answer::to(request)
        .await
        .is_refused_as(ProblemCode::PaymentUnknown);
}

#[tokio::test]
async fn a_watcher_hears_what_is_and_then_each_change() {
    let world = World::with(quick).await;
    let payment = world.begin("INV-1").await;
    let mut listener = world.listen(&payment).await;
    assert_eq!(listener.response.headers()["cache-control"], "no-store");
    let first = listener.next().await;
    assert_eq!((first.id, &*first.data), (0, &*payment.record));

    world.becomes(&payment, "Confirming");
    let second = listener.next().await;
    assert_eq!(second.status(), "Confirming");
    world.becomes(&payment, "Paid");
    let third = listener.next().await;
    assert_eq!(third.status(), "Paid");
    assert!(first.id < second.id && second.id < third.id);
    assert_eq!(
        world.look(&payment.id, &payment.receipt).await.body,
        third.data
    );

    // Who knows something already hears what is new to him, once.
    for (known, news) in [
        ("0", vec![&second, &third]),
        (&second.id.to_string(), vec![&third]),
    ] {
        let mut again = world.listen_after(&payment, known).await;
        for event in news {
            let heard = again.next().await;
            assert_eq!((heard.id, &heard.data), (event.id, &event.data));
        }
        assert!(again.is_silent_for(A_WHILE / 3).await);
    }
    let mut again = world.listen_after(&payment, &third.id.to_string()).await;
    assert!(again.is_silent_for(A_WHILE / 3).await);
    world.becomes(&payment, "Refunded");
    assert_eq!(again.next().await.status(), "Refunded");
    // An id that is none of this payment's.
    for id in ["99999", "-1", "x"] {
        let mut stranger = world.listen_after(&payment, id).await;
        assert_eq!(stranger.next().await.status(), "Refunded");
    }
}

#[tokio::test]
async fn only_what_changed_is_told() {
    let world = World::with(quick).await;
    let [first, second] = [world.begin("INV-1").await, world.begin("INV-2").await];
    let mut listener = world.watch(&first).await;
    world.becomes(&second, "Paid");
    world.until_it_is(&second, "Paid").await;
    assert!(listener.is_silent_for(A_WHILE).await);
}

#[tokio::test]
async fn the_list_is_read_as_often_however_many_watch() {
    let world = World::with(|config| {
        quick(config);
        config.poll_interval = Duration::from_millis(200);
    })
    .await;
    let payment = world.begin("INV-1").await;
    let mut listeners = Vec::new();
    for _ in 0..50 {
        listeners.push(world.watch(&payment).await);
    }
    let before = world.calls(Endpoint::List);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let calls = world.calls(Endpoint::List) - before;
    assert!((1..=6).contains(&calls), "{calls} calls");
    world.becomes(&payment, "Paid");
    for listener in &mut listeners {
        assert_eq!(listener.next().await.status(), "Paid");
    }
}

#[tokio::test]
async fn nothing_is_read_for_nobody() {
    let world = World::with(quick).await;
    tokio::time::sleep(A_WHILE).await;
    assert_eq!(world.calls(Endpoint::List), 0);
}

/// The pages of a round are used up before this payment comes: it is found by and by.
#[tokio::test]
async fn a_payment_that_slid_down_the_list_is_found_deeper() {
    let world = World::with(|config| {
        quick(config);
        config.poll_pages = 2;
    })
    .await;
    let payment = world.begin("INV-0").await;
    for number in 1..=75 {
        world.begin(&format!("INV-{number}")).await;
    }
    let mut listener = world.watch(&payment).await;
    world.becomes(&payment, "Paid");
    assert_eq!(listener.next().await.status(), "Paid");
}

#[tokio::test]
async fn a_failure_of_the_list_is_no_news() {
    let (world, payment, mut listener) = watched(quick).await;
    for outcome in [
        Fault::respond(StatusCode::INTERNAL_SERVER_ERROR, "[]"),
        Fault::respond(StatusCode::TOO_MANY_REQUESTS, "[]"),
        Fault::respond(StatusCode::OK, "<html>"),
        Fault::respond(StatusCode::OK, "{}"),
        Fault::new(Outcome::DropAnswer),
    ] {
        world.sandbox.controls().clear_faults();
        let calls = world.calls(Endpoint::List) + 2;
        world.until_called_so_often(calls).await;
        world.inject(outcome.on(Endpoint::List));
        world.until_called_so_often(calls + 2).await;
    }
    world.becomes(&payment, "Paid");
    world.sandbox.controls().clear_faults();
    // The first word after all that.
    assert_eq!(listener.next().await.status(), "Paid");
}

#[tokio::test]
async fn a_list_that_fails_is_read_more_and_more_seldom() {
    let world = World::with(quick).await;
    world.inject(Fault::respond(StatusCode::BAD_GATEWAY, "").on(Endpoint::List));
    world.begin("INV-1").await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    // Forty without a failure; after 100, 200, 400, 800 ms and half as much by chance.
    let calls = world.calls(Endpoint::List);
    assert!((3..=6).contains(&calls), "{calls} calls");
}

#[tokio::test]
async fn records_that_cant_be_read_are_left_out() {
    let world = World::with(quick).await;
    let payment = world.begin("INV-1").await;
    let good = payment.record.replace("Created", "Paid");
    let list = format!(r#"[null, 7, {{"transactionId":"{}"}}, {good}]"#, payment.id);
    world.inject(Fault::respond(StatusCode::OK, list).on(Endpoint::List));
    let answer = world.until_it_is(&payment, "Paid").await;
    assert_eq!(answer.body, good);
}

#[tokio::test]
async fn a_cancel_is_followed_by_a_look() {
    let (world, payment, mut listener) = watched(rare).await;
    let cancelled = world.cancel(&payment.id, &payment.receipt).await;
    assert_eq!(cancelled.status, StatusCode::OK);
    assert_eq!(listener.next().await.status(), "Cancelled");
}

#[tokio::test]
async fn a_notification_is_a_reason_to_look_and_nothing_more() {
    let (world, payment, mut listener) = watched(rare).await;
    for secret in [
        "wrong",
        &WEBHOOK_SECRET[1..],
        &MERCHANT_KEY.replace(' ', "-"),
    ] {
        let answer = world.notify(secret, "{}").await;
        answer.is_refused_as(ProblemCode::NotFound);
    }
    let lie = r#"{"invoiceNumber":"INV-1","statusId":"7","statusText":"Paid"}"#;
    assert_eq!(
        world.notify(WEBHOOK_SECRET, lie).await.status,
        StatusCode::OK
    );
    world.until_called_so_often(1).await;
    assert!(listener.is_silent_for(A_WHILE).await);

    // The same again does nothing; another does.
    world.becomes(&payment, "Paid");
    assert_eq!(
        world.notify(WEBHOOK_SECRET, lie).await.status,
        StatusCode::OK
    );
    assert!(listener.is_silent_for(2 * A_WHILE).await);
    assert_eq!(world.calls(Endpoint::List), 1);
    let other = "not even JSON";
    assert_eq!(
        world.notify(WEBHOOK_SECRET, other).await.status,
        StatusCode::OK
    );
    assert_eq!(listener.next().await.status(), "Paid");
}

#[tokio::test]
async fn a_notification_has_a_bound_and_a_secret() {
    let world = World::with(quick).await;
    let path = format!("/webhook/{WEBHOOK_SECRET}");
    let request = world
        .request(Method::POST, &path)
        .body("x".repeat(17 << 10));
    Answer::to(request)
        .await
        .is_refused_as(ProblemCode::PayloadTooLarge);
    let none = World::new().await;
    for secret in [WEBHOOK_SECRET, "x"] {
        let answer = none.notify(secret, "{}").await;
        answer.is_refused_as(ProblemCode::NotFound);
    }
}

#[tokio::test]
async fn there_are_so_many_streams_and_no_more() {
    let world = World::with(|config| {
        quick(config);
        config.max_streams = 2;
    })
    .await;
    let payment = world.begin("INV-1").await;
    let mut open = vec![world.listen(&payment).await, world.listen(&payment).await];
    let refused = Answer::to(world.listening(&payment)).await;
    refused.is_refused_as(ProblemCode::StreamsFull);
    assert_eq!(refused.header("retry-after"), "30");
    // The record can still be had.
    world.until_it_is(&payment, "Created").await;
    open.pop();
    loop {
        let response = world.listening(&payment).send().await.unwrap();
        if response.status() == StatusCode::OK {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_stop_ends_the_streams() {
    let (world, _, listener) = watched(quick).await;
    let stopped = tokio::time::timeout(Duration::from_secs(5), world.proxy.stop());
    assert!(stopped.await.expect("no stream holds it up"));
    listener.end().await;
}

#[tokio::test]
async fn a_watcher_goes_on_after_a_restart() {
    let (database, _directory) = crate::lasting_database();
    let mut world = World::with(|config| {
        quick(config);
        config.database = database;
    })
    .await;
    let payment = world.begin("INV-1").await;
    let mut listener = world.watch(&payment).await;
    world.becomes(&payment, "Confirming");
    let last = listener.next().await;

    let before = world.replace_proxy(|_| {}).await;
    assert!(before.stop().await);
    listener.end().await;
    world.becomes(&payment, "Paid");
    let mut again = world.listen_after(&payment, &last.id.to_string()).await;
    let heard = again.next().await;
    assert_eq!(heard.status(), "Paid");
    assert!(heard.id > last.id);
}

/// The watcher is at an instance that seldom gets to reading the list.
#[tokio::test]
async fn what_one_instance_reads_every_instance_tells() {
    let (database, _directory) = crate::lasting_database();
    let mut world = World::with(|config| {
        quick(config);
        config.database = database;
    })
    .await;
    let payment = world.begin("INV-1").await;
    let seldom = |config: &mut Config| config.poll_interval = Duration::from_secs(1);
    let reader = world.replace_proxy(seldom).await;
    let mut listener = world.watch(&payment).await;
    for status in ["Seen", "Confirming", "Confirmed", "Paid", "Settled"] {
        world.becomes(&payment, status);
        assert_eq!(listener.next().await.status(), status);
    }
    assert!(reader.stop().await);
}

/// Two instances read no more often than one, and when one is gone the other goes on.
#[tokio::test]
async fn one_instance_at_a_time_reads_the_list() {
    let (database, _directory) = crate::lasting_database();
    let mut world = World::with(|config| {
        quick(config);
        config.poll_interval = Duration::from_millis(250);
        config.database = database;
    })
    .await;
    let payment = world.begin("INV-1").await;
    let first = world.replace_proxy(|_| {}).await;
    let before = world.calls(Endpoint::List);
    tokio::time::sleep(Duration::from_secs(2)).await;
    let calls = world.calls(Endpoint::List) - before;
    assert!((2..=9).contains(&calls), "{calls} calls");

    let mut listener = world.watch(&payment).await;
    assert!(first.stop().await);
    world.becomes(&payment, "Paid");
    assert_eq!(listener.next().await.status(), "Paid");
}
