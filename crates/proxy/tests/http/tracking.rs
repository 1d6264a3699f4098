//! Tests of a payment's latest record, which is polled from the service's list.

use crate::followed::watched;
use crate::metrics::{samples, with_metrics};
use crate::prelude::*;

#[tokio::test]
async fn the_latest_record_is_as_the_service_wrote_it() {
    let world = World::with(fast_polling).await;
    let payment = world.begin("INV-1").await;
    let first = world.latest(&payment).await;
    first.succeeds();
    assert_eq!(first.body, payment.record);
    assert_eq!(first.header("content-type"), "application/json");
    assert_eq!(first.header("cache-control"), "no-store");

    // Undocumented fields, and digits that a float would lose.
    let written = payment.record.replacen(
        '{',
        r#"{"x":[1.10, 1e-8],"rate":80.645161290000000001,"paid":25.00,"#,
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
    world.inject(page(json!([changed("wallet", json!("another"))])));
    // A cycle that has begun later has read the list.
    let calls = world.calls(Endpoint::List);
    world.until_called(Endpoint::List, calls + 3).await;
    let answer = world.latest(&payment).await;
    assert_eq!(answer.body, payment.record);
    let repeated = world.create(&paying(&order(json!({})))).await;
    repeated.has("Created");
    world.sandbox.controls().clear_faults();
    // Also if the list contains the payment's own record as well.
    let wrong = changed("invoiceNumber", json!("INV-2"));
    let right = changed("statusText", json!("Confirming"));
    world.inject(page(json!([wrong, right])));
    world.until_it_is(&payment, "Confirming").await;
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
        world.until_called(Endpoint::List, calls).await;
        world.inject(outcome.on(Endpoint::List));
        world.until_called(Endpoint::List, calls + 2).await;
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

/// Unreadable records are skipped.
#[tokio::test]
async fn a_payment_is_followed_whatever_the_list_contains() {
    let (world, payment, mut listener) = watched(fast_polling).await;
    let id = &payment.id;
    let other = payment.record.replace(id, r"a\u0000b");
    let odd = format!(
        r#"{{"transactionId":"{id}","statusId":"7","statusText":"Paid","wallet":null,"quantity":[],"x":"not taken"}}"#
    );
    world.inject(page(format!(
        r#"[null, 7, {{}}, {{"statusId":"2"}}, {{"transactionId":1,"statusId":"2"}}, {{"transactionId":"{id}"}}, {other}, {odd}]"#
    )));
    // Its status is taken, and the rest stays as it is known.
    let expected = payment.record.replace(
        r#""statusId":"1","statusText":"Created""#,
        r#""statusId":"7","statusText":"Paid""#,
    );
    assert_eq!(listener.next().await.data, expected);
    let latest = world.latest(&payment).await;
    assert_eq!(latest.body, expected);
}

/// The next cycle begins after the usual pause, not when the lease of the one that failed ends.
#[tokio::test]
async fn a_poll_that_can_not_be_stored_is_repeated_soon() {
    let world = World::persistent(|config| {
        fast_polling(config);
        with_metrics(config);
        config.upstream.timeout = Duration::from_mins(10);
    });
    let world = world.await;
    let payment = world.begin("INV-1").await;
    let mut tab = world.watch(&payment).await;
    world
        .execute("ALTER TABLE payment_events RENAME TO missing")
        .await;
    world.becomes(&payment, "Paid");
    until(async || {
        let samples = samples(&world).await;
        let failed = "tender_poll_cycles_total{outcome=\"database-unavailable\"}";
        samples.get(failed).copied()
    })
    .await;
    world
        .execute("ALTER TABLE missing RENAME TO payment_events")
        .await;
    assert_eq!(tab.next().await.status(), "Paid");
}
