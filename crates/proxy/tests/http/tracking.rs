//! Tests of a payment's record and of the event stream of its changes.

use std::time::Duration;

use axum::http::StatusCode;
use reqwest::Method;
use serde_json::{Value, json};
use tender_protocol::{ProblemCode, path};
use tender_proxy::Config;
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::followed::{Followed, SEVERAL_CYCLES, fast_polling, watched, without_polling};
use crate::listener::{Listener, until_accepted};
use crate::support::{Answer, MERCHANT_KEY, WEBHOOK_SECRET, World, order, page, paying};

#[tokio::test]
async fn the_latest_record_is_as_the_service_wrote_it() {
    let world = World::with(fast_polling).await;
    let payment = world.begin("INV-1").await;
    let first = world.latest(&payment).await;
    assert_eq!(first.status, StatusCode::OK);
    assert_eq!(first.body, payment.record);
    assert_eq!(first.header("content-type"), "application/json");
    assert_eq!(first.header("cache-control"), "no-store");

    // Undocumented fields, and digits that a float would lose.
    let written = payment.record.replacen(
        '{',
        r#"{"x":[1.10, 1e-8],"rate":80.645161290000000001,"quantity":25.00,"#,
        1,
    );
    let written = written.replace("Created", "Odd");
    assert_ne!(written, payment.record);
    world.inject(page(format!("[{written}]")));
    let answer = world.until_it_is(&payment, "Odd").await;
    assert_eq!(answer.body, written);
    let merchant = world.read(&payment.id, MERCHANT_KEY).await;
    assert_eq!(merchant.body, written);
}

/// The list contradicts a payment: nothing of that record reaches the buyer.
#[tokio::test]
async fn a_contradictory_record_of_the_list_is_not_shown() {
    let world = World::with(fast_polling).await;
    let payment = world.begin("INV-1").await;
    let changed = |field: &str, value: Value| {
        let mut record: Value = serde_json::from_str(&payment.record).unwrap();
        record["statusText"] = json!("Paid");
        record[field] = value;
        record
    };
    let contradictory = [
        ("invoiceNumber", json!("INV-2")),
        ("quantity", json!(77)),
        ("quantityPay", json!(9999)),
        ("token", json!("USDTE")),
        ("paymentToken", json!("BTC")),
        ("wallet", json!("a stranger's wallet")),
    ];
    for (field, value) in contradictory {
        let list = json!([changed(field, value)]).to_string();
        world.inject(page(list));
        // A cycle that has begun later has read the list.
        let calls = world.calls(Endpoint::List);
        world.until_called_so_often(calls + 3).await;
        let answer = world.latest(&payment).await;
        assert_eq!(answer.body, payment.record, "{field}");
        let repeated = world.create(&paying(&order(json!({})))).await;
        assert!(
            repeated.body.contains("Created"),
            "{field}: {}",
            repeated.body
        );
        world.sandbox.controls().clear_faults();
    }
    // Also if the list contains the payment's own record as well.
    let wrong = changed("invoiceNumber", json!("INV-2"));
    let right = changed("statusText", json!("Confirming"));
    let list = json!([wrong, right]).to_string();
    world.inject(page(list));
    world.until_it_is(&payment, "Confirming").await;
}

/// A record without a wallet, for example, still has a status.
#[tokio::test]
async fn an_incomplete_record_of_the_list_updates_the_status() {
    let world = World::with(fast_polling).await;
    let payment = world.begin("INV-1").await;
    let mut listed: Value = serde_json::from_str(&payment.record).unwrap();
    listed["statusText"] = json!("Paid");
    listed["wallet"] = json!(null);
    listed["x"] = json!("not taken");
    world.inject(page(json!([listed])));
    let answer = world.until_it_is(&payment, "Paid").await;
    assert_eq!(answer.body, payment.record.replace("Created", "Paid"));
}

#[tokio::test]
async fn only_the_buyer_and_the_merchant_can_see_a_payment() {
    let world = World::with(fast_polling).await;
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
    // A merchant key is not accepted in the URL.
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
async fn payments_created_elsewhere_are_unknown() {
    let world = World::with(fast_polling).await;
    world
        .read("unknown", MERCHANT_KEY)
        .await
        .is_refused_as(ProblemCode::PaymentUnknown);
    let path = format!("{}/unknown/events", path::PAYMENT);
    let request = world.request(Method::GET, &path).bearer_auth(MERCHANT_KEY);
    Answer::to(request)
        .await
        .is_refused_as(ProblemCode::PaymentUnknown);
}

#[tokio::test]
async fn a_stream_sends_the_record_and_then_each_change() {
    let world = World::with(fast_polling).await;
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
    assert_eq!(world.latest(&payment).await.body, third.data);

    // A client that knows an event gets only the later ones, once.
    for (known, news) in [
        ("0", vec![&second, &third]),
        (&second.id.to_string(), vec![&third]),
    ] {
        let mut again = world.listen_after(&payment, known).await;
        for expected in news {
            let event = again.next().await;
            assert_eq!((event.id, &event.data), (expected.id, &expected.data));
        }
        assert!(again.is_silent_for(SEVERAL_CYCLES / 3).await);
    }
    let mut again = world.listen_after(&payment, &third.id.to_string()).await;
    assert!(again.is_silent_for(SEVERAL_CYCLES / 3).await);
    world.becomes(&payment, "Refunded");
    assert_eq!(again.next().await.status(), "Refunded");
    // Ids that do not belong to this payment.
    for id in ["99999", "-1", "x"] {
        let mut stranger = world.listen_after(&payment, id).await;
        assert_eq!(stranger.next().await.status(), "Refunded");
    }
}

#[tokio::test]
async fn only_changes_are_sent() {
    let world = World::with(fast_polling).await;
    let [first, second] = [world.begin("INV-1").await, world.begin("INV-2").await];
    let mut listener = world.watch(&first).await;
    world.becomes(&second, "Paid");
    world.until_it_is(&second, "Paid").await;
    assert!(listener.is_silent_for(SEVERAL_CYCLES).await);
}

#[tokio::test]
async fn more_streams_cause_no_more_polls() {
    let world = World::with(|config| {
        fast_polling(config);
        config.tracking.poll_interval = Duration::from_millis(200);
        config.tracking.max_streams_per_payment = 0;
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
async fn without_interest_the_list_is_not_polled() {
    let world = World::with(fast_polling).await;
    tokio::time::sleep(SEVERAL_CYCLES).await;
    assert_eq!(world.calls(Endpoint::List), 0);
}

/// The payment is beyond the pages of one cycle, so it is found by a later one.
#[tokio::test]
async fn a_payment_on_a_deeper_page_is_found() {
    let world = World::with(|config| {
        fast_polling(config);
        config.tracking.poll_pages = 2;
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
async fn a_failed_poll_is_not_a_change() {
    let (world, payment, mut listener) = watched(fast_polling).await;
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
    // Nothing else was sent before.
    assert_eq!(listener.next().await.status(), "Paid");
}

#[tokio::test]
async fn failing_polls_back_off() {
    let world = World::with(fast_polling).await;
    world.inject(Fault::respond(StatusCode::BAD_GATEWAY, "").on(Endpoint::List));
    world.begin("INV-1").await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    // 40 without failures; with back-off after 100, 200, 400 and 800 ms plus jitter.
    let calls = world.calls(Endpoint::List);
    assert!((3..=6).contains(&calls), "{calls} calls");
}

#[tokio::test]
async fn unreadable_records_are_skipped() {
    let world = World::with(fast_polling).await;
    let payment = world.begin("INV-1").await;
    let good = payment.record.replace("Created", "Paid");
    let list = format!(r#"[null, 7, {{"transactionId":"{}"}}, {good}]"#, payment.id);
    world.inject(page(list));
    let answer = world.until_it_is(&payment, "Paid").await;
    assert_eq!(answer.body, good);
}

#[tokio::test]
async fn one_odd_id_does_not_stop_the_others() {
    let world = World::with(fast_polling).await;
    let payment = world.begin("INV-1").await;
    let paid = payment.record.replace("Created", "Paid");
    let odd = paid.replace(&payment.id, r"a\u0000b");
    world.inject(page(format!("[{odd},{paid}]")));
    let answer = world.until_it_is(&payment, "Paid").await;
    assert_eq!(answer.body, paid);
}

#[tokio::test]
async fn a_payment_is_followed_whatever_its_record_contains() {
    let (world, payment, mut listener) = watched(fast_polling).await;
    let odd = format!(
        r#"{{"transactionId":"{}","statusId":"7","statusText":"Paid","wallet":null,"quantity":[]}}"#,
        payment.id
    );
    world.inject(page(format!("[{odd}]")));
    // Its status is taken, and the rest stays as it is known.
    let expected = payment.record.replace(
        r#""statusId":"1","statusText":"Created""#,
        r#""statusId":"7","statusText":"Paid""#,
    );
    assert_eq!(listener.next().await.data, expected);
    let latest = world.latest(&payment).await;
    assert_eq!(latest.body, expected);
}

#[tokio::test]
async fn a_cancel_triggers_a_poll() {
    let (world, payment, mut listener) = watched(without_polling).await;
    let cancelled = world.cancel(&payment.id, &payment.receipt).await;
    assert_eq!(cancelled.status, StatusCode::OK);
    // The first event only says that the payment is closed.
    while listener.next().await.status() != "Cancelled" {}
}

#[tokio::test]
async fn a_notification_only_triggers_a_poll() {
    let (world, payment, mut listener) = watched(without_polling).await;
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
    assert!(listener.is_silent_for(SEVERAL_CYCLES).await);

    // A duplicate does nothing; another notification triggers a poll.
    world.becomes(&payment, "Paid");
    assert_eq!(
        world.notify(WEBHOOK_SECRET, lie).await.status,
        StatusCode::OK
    );
    assert!(listener.is_silent_for(2 * SEVERAL_CYCLES).await);
    assert_eq!(world.calls(Endpoint::List), 1);
    let other = "not even JSON";
    assert_eq!(
        world.notify(WEBHOOK_SECRET, other).await.status,
        StatusCode::OK
    );
    assert_eq!(listener.next().await.status(), "Paid");
}

#[tokio::test]
async fn the_webhook_needs_a_secret_and_limits_the_body() {
    let world = World::with(fast_polling).await;
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
async fn the_number_of_streams_is_limited() {
    let world = World::with(|config| {
        fast_polling(config);
        config.tracking.max_streams = 2;
    })
    .await;
    let payment = world.begin("INV-1").await;
    let mut open = vec![world.listen(&payment).await, world.listen(&payment).await];
    let refused = Answer::to(world.listening(&payment)).await;
    refused.is_refused_as(ProblemCode::StreamsFull);
    assert_eq!(refused.header("retry-after"), "30");
    // The record is still available.
    world.until_it_is(&payment, "Created").await;
    open.pop();
    until_accepted(|| world.listening(&payment)).await;
}

/// One receipt, or one address, can't take the streams of others.
#[tokio::test]
async fn streams_are_limited_per_payment_and_address() {
    let world = World::with(|config| {
        fast_polling(config);
        config.server.trusted_proxies = 1;
        config.tracking.max_streams_per_payment = 2;
        config.tracking.max_streams_per_address = 3;
    })
    .await;
    let (first, second) = (world.begin("INV-1").await, world.begin("INV-2").await);
    let from = |address: &str, payment: &Followed| {
        world.listening(payment).header("x-forwarded-for", address)
    };
    let mut open = Vec::new();
    for address in ["192.0.2.1", "192.0.2.2"] {
        open.push(Listener::to(from(address, &first)).await);
    }
    let refused = Answer::to(from("192.0.2.3", &first)).await;
    refused.is_refused_as(ProblemCode::StreamsFull);
    open.push(Listener::to(from("192.0.2.1", &second)).await);
    open.push(Listener::to(from("192.0.2.2", &second)).await);
    let third = world.begin("INV-3").await;
    open.push(Listener::to(from("192.0.2.1", &third)).await);
    let refused = Answer::to(from("192.0.2.1", &third)).await;
    refused.is_refused_as(ProblemCode::StreamsFull);
    open.push(Listener::to(from("192.0.2.3", &third)).await);
    // Ended streams make room.
    open.clear();
    until_accepted(|| from("192.0.2.1", &first)).await;
}

#[tokio::test]
async fn a_stop_ends_the_streams() {
    let (world, _, listener) = watched(fast_polling).await;
    let stopped = tokio::time::timeout(Duration::from_secs(5), world.proxy.stop());
    assert!(stopped.await.expect("no stream holds it up"));
    listener.end().await;
}

#[tokio::test]
async fn a_stream_continues_after_a_restart() {
    let mut world = World::persistent(fast_polling).await;
    let payment = world.begin("INV-1").await;
    let mut listener = world.watch(&payment).await;
    world.becomes(&payment, "Confirming");
    let last = listener.next().await;

    let before = world.replace_proxy(|_| {}).await;
    assert!(before.stop().await);
    listener.end().await;
    world.becomes(&payment, "Paid");
    let mut again = world.listen_after(&payment, &last.id.to_string()).await;
    let event = again.next().await;
    assert_eq!(event.status(), "Paid");
    assert!(event.id > last.id);
}

/// The stream is at an instance that rarely begins a cycle.
#[tokio::test]
async fn every_instance_publishes_all_changes() {
    let mut world = World::persistent(fast_polling).await;
    let payment = world.begin("INV-1").await;
    let seldom = |config: &mut Config| config.tracking.poll_interval = Duration::from_secs(1);
    let reader = world.replace_proxy(seldom).await;
    let mut listener = world.watch(&payment).await;
    for status in ["Seen", "Confirming", "Confirmed", "Paid", "Settled"] {
        world.becomes(&payment, status);
        assert_eq!(listener.next().await.status(), status);
    }
    assert!(reader.stop().await);
}

/// Two instances poll no more often than one, and if one stops the other continues.
#[tokio::test]
async fn only_one_instance_at_a_time_polls() {
    let mut world = World::persistent(|config| {
        fast_polling(config);
        config.tracking.poll_interval = Duration::from_millis(250);
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
