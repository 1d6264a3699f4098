//! Tests of attempts whose call to the service fails.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};
use tender_protocol::{ProblemCode, Status, path};
use tender_proxy::config::PageParameter;
use tender_sandbox::{Endpoint, Fault, Outcome};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::recorder::Recorder;
use crate::support::{Answer, World, order, page, paying, paying_in, plain};

fn on_create(outcome: Outcome) -> Fault {
    Fault::new(outcome).on(Endpoint::Create).once()
}

/// Sends a create request while the service closes the connection without a response.
pub(crate) async fn lose(world: &World, outcome: Outcome, body: &Value) {
    world.inject(on_create(outcome));
    let answer = world.create(body).await;
    answer.is_refused_as(ProblemCode::ServiceUnreachable);
}

/// The payment was created but its response was lost: the repeat finds it.
async fn is_found_again(fault: Fault, code: ProblemCode) {
    let world = World::with(|config| config.upstream.timeout = Duration::from_secs(2)).await;
    world.inject(fault);
    let body = paying(&order(json!({})));
    world.create(&body).await.is_refused_as(code);
    assert_eq!(world.payments().len(), 1);

    let found = world.create(&body).await;
    assert_eq!(world.transactions(), [found.transaction_id()]);
    assert_eq!(world.calls(Endpoint::Create), 1);
    // Once found, it is a result like any other.
    assert_eq!(world.create(&body).await.payment(), found.payment());
    assert_eq!(world.calls(Endpoint::List), 1);
    let cancelled = world.cancel_created(&found).await;
    assert_eq!(cancelled.status, StatusCode::OK);
}

#[tokio::test]
async fn a_payment_with_a_lost_response_is_found() {
    is_found_again(
        on_create(Outcome::DropAnswer),
        ProblemCode::ServiceUnreachable,
    )
    .await;
}

#[tokio::test]
async fn a_payment_with_a_late_response_is_found() {
    let late = on_create(Outcome::Handle).hold_ms(60_000);
    is_found_again(late, ProblemCode::ServiceTimeout).await;
}

#[tokio::test]
async fn a_payment_with_an_html_response_is_found() {
    is_found_again(on_create(Outcome::Html), ProblemCode::ServiceUnreadable).await;
}

#[tokio::test]
async fn a_payment_with_a_truncated_response_is_found() {
    is_found_again(on_create(Outcome::Truncate), ProblemCode::ServiceUnreadable).await;
}

#[tokio::test]
async fn a_payment_missing_from_the_list_is_created() {
    let world = World::new().await;
    let body = paying(&order(json!({})));
    for fault in [
        on_create(Outcome::DropRequest),
        Fault::respond(StatusCode::BAD_GATEWAY, "{}")
            .on(Endpoint::Create)
            .once(),
    ] {
        world.inject(fault);
        assert!(world.create(&body).await.status.is_server_error());
    }
    assert_eq!(world.payments().len(), 0);
    let created = world.create(&body).await;
    assert_eq!(world.transactions(), [created.transaction_id()]);
    assert_eq!(world.calls(Endpoint::List), 2);
}

#[tokio::test]
async fn a_refusal_ends_the_attempt() {
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    let refusal = Fault::respond(StatusCode::BAD_REQUEST, r#"{"error":"no"}"#);
    world.inject(refusal.on(Endpoint::Create).once());
    let refused = world.create_once("key-1", &plain(json!({}))).await;
    refused.is_refused_as(ProblemCode::ServiceRefused);
    // The key can be used with another body, and no search is needed.
    world
        .create_once("key-1", &plain(json!({ "quantity": "3" })))
        .await
        .record();
    assert_eq!(world.calls(Endpoint::List), 0);
}

/// A 4xx response that may follow an executed request is no refusal.
#[tokio::test]
async fn a_doubtful_refusal_does_not_end_the_attempt() {
    for status in [402, 406, 408, 409, 410, 418, 423, 424, 425, 429, 451, 499] {
        let world = World::new().await;
        let body = paying(&order(json!({})));
        let status = StatusCode::from_u16(status).unwrap();
        world.inject(Fault::respond(status, "{}").on(Endpoint::Create).once());
        let doubtful = world.create(&body).await;
        doubtful.is_refused_as(ProblemCode::ServiceRefused);
        world.inject(page(json!([foreign(&json!({}))])).once());
        let found = world.create(&body).await;
        assert_eq!(found.transaction_id(), "foreign", "{status}");
        assert_eq!(world.calls(Endpoint::Create), 1, "{status}");
    }
}

#[tokio::test]
async fn an_unreachable_service_leaves_no_doubt() {
    let world = World::with(|config| {
        config.upstream.base_url = "http://127.0.0.1:1".parse().unwrap();
        config.orders.allow_unsigned = true;
    })
    .await;
    for body in [plain(json!({})), plain(json!({ "quantity": "3" }))] {
        let answer = world.create_once("key-1", &body).await;
        answer.is_refused_as(ProblemCode::ServiceUnreachable);
    }
}

#[tokio::test]
async fn a_failed_search_leaves_the_attempt_in_doubt() {
    let world = World::new().await;
    let body = paying(&order(json!({})));
    lose(&world, Outcome::DropAnswer, &body).await;
    for status in [StatusCode::FORBIDDEN, StatusCode::SERVICE_UNAVAILABLE] {
        world.inject(Fault::respond(status, "{}").on(Endpoint::List).once());
        assert!(world.create(&body).await.status.is_server_error());
    }
    let found = world.create(&body).await;
    assert_eq!(world.transactions(), [found.transaction_id()]);
}

#[tokio::test]
async fn the_search_continues_after_the_first_page() {
    for first_page in [0, 1] {
        let mut sandbox = tender_sandbox::Config::on_free_ports();
        sandbox.first_page = first_page;
        let world = World::before(sandbox, |config| {
            config.orders.allow_unsigned = true;
            config.upstream.first_page = u32::try_from(first_page).unwrap();
        })
        .await;
        let body = paying(&order(json!({})));
        lose(&world, Outcome::DropAnswer, &body).await;
        for number in 2..=40 {
            let invoice = format!("INV-{number}");
            world
                .create(&plain(json!({ "invoiceNumber": invoice })))
                .await
                .record();
        }
        let found = world.create(&body).await;
        assert_eq!(world.transactions().last(), Some(&found.transaction_id()));
        assert_eq!(world.payments().len(), 40);
        assert_eq!(world.calls(Endpoint::List), 2);
    }
}

/// Older payments are not searched: a stored payment marks where they begin.
#[tokio::test]
async fn the_search_ends_at_older_payments() {
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    let create = async |invoices: std::ops::Range<u32>| {
        for number in invoices {
            let body = plain(json!({ "invoiceNumber": format!("INV-{number}") }));
            world.create(&body).await.record();
        }
    };
    create(100..150).await;
    let body = paying(&order(json!({})));
    lose(&world, Outcome::DropRequest, &body).await;
    create(200..225).await;
    world.create(&body).await.record();
    assert_eq!(world.payments().len(), 76);
    // Two pages, twice.
    assert_eq!(world.calls(Endpoint::List), 4);
}

#[tokio::test]
async fn the_search_starts_deeper_for_older_attempts() {
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    let body = paying(&order(json!({})));
    lose(&world, Outcome::DropAnswer, &body).await;
    for number in 0..130 {
        let body = plain(json!({ "invoiceNumber": format!("INV-{number}-later") }));
        world.create(&body).await.record();
    }
    let found = world.create(&body).await;
    assert_eq!(world.transactions().last(), Some(&found.transaction_id()));
    assert_eq!(world.payments().len(), 131);
    // Newer payments are skipped.
    assert_eq!(world.calls(Endpoint::List), 2);
}

/// If the list does not contain the stored payments, they don't prove anything.
#[tokio::test]
async fn the_search_skips_only_pages_that_are_certainly_newer() {
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    let body = paying(&order(json!({})));
    let of_before = plain(json!({ "invoiceNumber": "INV-0" }));
    world.create(&of_before).await.record();
    lose(&world, Outcome::DropAnswer, &body).await;
    let lost = world.payments().remove(0);
    for number in 0..65 {
        let body = plain(json!({ "invoiceNumber": format!("INV-{number}-later") }));
        world.create(&body).await.record();
    }
    let listed = serde_json::to_string(std::slice::from_ref(&lost)).unwrap();
    for (records, times) in [("[]", 2), (&*listed, 1)] {
        world.inject(page(records).times(times.try_into().unwrap()));
    }
    let found = world.create(&body).await.transaction_id();
    assert_eq!(found, lost.transaction_id);
    assert_eq!(world.calls(Endpoint::List), 3);
}

/// A record that only the service's list has, with some fields replaced.
pub(crate) fn foreign(changed: &Value) -> Value {
    let mut payment = json!({
        "transactionId": "foreign", "token": "USDTT", "paymentToken": "TRX", "quantity": 25,
        "quantityPay": 80, "invoiceNumber": "INV-1", "purchaseEmail": "a@shop.example",
        "statusId": "1", "statusText": "Created", "wallet": "T...",
    });
    for (name, value) in changed.as_object().unwrap() {
        payment[name] = value.clone();
    }
    payment
}

/// Whether a payment that was created elsewhere is found for a request with a lost response; `None`
/// if that is in doubt, and nothing is created.
async fn finds(changed: &Value, body: &Value) -> Option<bool> {
    let payment = foreign(changed);
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    world.inject(on_create(Outcome::DropRequest));
    let lost = world.create_once("key-1", body).await;
    lost.is_refused_as(ProblemCode::ServiceUnreachable);
    world.inject(page(json!([{ "invoiceNumber": "INV-9" }, payment])).once());
    let answer = world.create_once("key-1", body).await;
    if answer.status != StatusCode::OK {
        answer.is_refused_as(ProblemCode::PaymentUnidentified);
        assert_eq!(world.payments().len(), 0);
        return None;
    }
    Some(answer.transaction_id() == "foreign")
}

#[tokio::test]
async fn only_a_matching_payment_is_found() {
    let signed = paying(&order(json!({ "purchaseName": "B" })));
    assert_eq!(finds(&json!({}), &signed).await, Some(true));
    for other in [
        json!({ "invoiceNumber": "INV-2" }),
        json!({ "invoiceNumber": "INV-10" }),
        json!({ "statusId": "5", "statusText": "Cancelled" }),
        json!({ "statusId": "5", "statusText": "Cancelled", "invoiceNumber": null }),
        json!({ "invoiceNumber": null, "createdAt": "2025/12/31" }),
    ] {
        assert_eq!(finds(&other, &signed).await, Some(false), "{other}");
    }
}

/// Nothing is created beside a payment with the order's invoice number.
#[tokio::test]
async fn a_payment_of_the_same_invoice_prevents_another() {
    let signed = paying(&order(json!({})));
    for doubtful in [
        json!({ "token": "USDT" }),
        json!({ "quantity": 25.01 }),
        json!({ "token": "USDTE" }),
        json!({ "paymentToken": "BTC" }),
        json!({ "statusId": "2", "statusText": "Paid" }),
        json!({ "statusId": null, "statusText": null }),
        json!({ "wallet": "" }),
        json!({ "wallet": null }),
        json!({ "transactionId": null }),
        json!({ "transactionId": {} }),
        json!({ "invoiceNumber": null }),
        json!({ "invoiceNumber": "" }),
        json!({ "invoiceNumber": { "number": "INV-1" } }),
        json!({ "invoiceNumber": null, "createdAt": "2999/12/31" }),
    ] {
        assert_eq!(finds(&doubtful, &signed).await, None, "{doubtful}");
    }
}

/// The list may echo the fields in another form.
#[tokio::test]
async fn a_payment_is_found_by_what_survives_an_echo() {
    let sent = json!({
        "invoiceNumber": "Order 2026-11-22 No. 1", "quantity": "25.123456785",
    });
    let signed = paying(&order(sent));
    for (invoice, quantity) in [
        ("Order 2026-11-22 No. 1", 25.123_456_78),
        (" ORDER 2026-11-22 NO. 1 ", 25.123_456_79),
        ("Order  2026-11-22 No.", 25.123_456_785),
    ] {
        let changed = json!({ "invoiceNumber": invoice, "quantity": quantity });
        assert_eq!(finds(&changed, &signed).await, Some(true), "{invoice}");
    }
}

/// A page may have fewer than 20 records, and elements that are no records.
#[tokio::test]
async fn a_short_page_does_not_end_the_search() {
    let other = foreign(&json!({ "transactionId": "other", "invoiceNumber": "INV-2" }));
    for first in [json!([other]), json!([null]), json!(["x", {}, other])] {
        let world = World::new().await;
        let body = paying(&order(json!({})));
        lose(&world, Outcome::DropRequest, &body).await;
        for records in [first.clone(), json!([foreign(&json!({}))])] {
            world.inject(page(records).once());
        }
        let found = world.create(&body).await;
        assert_eq!(found.transaction_id(), "foreign", "{first}");
        assert_eq!(world.calls(Endpoint::Create), 1);
    }
}

#[tokio::test]
async fn a_search_that_does_not_reach_the_end_creates_nothing() {
    let world = World::new().await;
    let body = paying(&order(json!({})));
    lose(&world, Outcome::DropRequest, &body).await;
    let other = foreign(&json!({ "transactionId": "other", "invoiceNumber": "INV-2" }));
    world.inject(page(json!([other])));
    for body in [&body, &paying_in("btc", &order(json!({})))] {
        let answer = world.create(body).await;
        answer.is_refused_as(ProblemCode::PaymentUnidentified);
    }
    assert_eq!(world.calls(Endpoint::Create), 1);
}

#[tokio::test]
async fn without_a_signed_order_the_buyer_must_match() {
    let body = plain(json!({ "purchaseEmail": "a@shop.example" }));
    assert_eq!(finds(&json!({}), &body).await, Some(true));
    for other in [
        json!({ "purchaseEmail": "b@shop.example" }),
        json!({ "purchaseName": "B" }),
        json!({ "paymentToken": "BTC" }),
        json!({ "quantity": 26 }),
    ] {
        assert_eq!(finds(&other, &body).await, Some(false));
    }
    assert_eq!(finds(&json!({ "token": "USDT" }), &body).await, None);
}

/// The service may still execute a request after its connection was lost.
#[tokio::test]
async fn the_search_waits_for_the_settle_time() {
    let world = World::with(|config| {
        config.upstream.timeout = Duration::from_secs(1);
        config.upstream.settle = Duration::from_secs(2);
    })
    .await;
    let body = paying(&order(json!({})));
    world.inject(on_create(Outcome::Handle).delay_ms(2000));
    let lost = world.create(&body).await;
    lost.is_refused_as(ProblemCode::ServiceTimeout);
    assert_eq!(world.payments().len(), 0);

    let found = world.create(&body).await;
    assert_eq!(world.transactions(), [found.transaction_id()]);
    assert_eq!(world.calls(Endpoint::Create), 1);
    assert_eq!(world.calls(Endpoint::List), 2);
}

#[tokio::test]
async fn waiting_requests_share_a_failure() {
    let world = World::new().await;
    // Long enough for all requests to arrive.
    world.inject(on_create(Outcome::DropAnswer).delay_ms(2000));
    let body = paying(&order(json!({})));
    let mut buyers = JoinSet::new();
    for _ in 0..10 {
        buyers.spawn(Answer::to(world.post(path::PAYMENT, &body)));
    }
    for answer in buyers.join_all().await {
        answer.is_refused_as(ProblemCode::ServiceUnreachable);
    }
    assert_eq!(world.calls(Endpoint::Create), 1);
    assert_eq!(world.calls(Endpoint::List), 0);
}

#[tokio::test]
async fn a_payment_of_another_attempt_is_not_found() {
    // Two buyers with the same unsigned invoice number.
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    let body = plain(json!({}));
    let of_first = world.create_once("first", &body).await.transaction_id();
    world.inject(on_create(Outcome::DropRequest));
    let lost = world.create_once("second", &body).await;
    lost.is_refused_as(ProblemCode::ServiceUnreachable);
    let of_second = world.create_once("second", &body).await.transaction_id();
    assert_ne!(of_second, of_first);
    assert_eq!(world.payments().len(), 2);
}

#[tokio::test]
async fn a_cancelled_payment_is_not_found() {
    let mut sandbox = tender_sandbox::Config::on_free_ports();
    // The service's document shows a cancelled payment with the status "Created".
    sandbox.cancelled_status = Status::Created;
    let world = World::before(sandbox, |_| {}).await;
    let body = paying(&order(json!({})));
    let first = world.create(&body).await;
    world.cancel_created(&first).await;
    lose(&world, Outcome::DropRequest, &body).await;
    assert_ne!(
        world.create(&body).await.transaction_id(),
        first.transaction_id()
    );
    assert_eq!(world.payments().len(), 2);
}

#[tokio::test]
async fn the_page_number_is_sent_as_configured() {
    for (place, line, sent) in [
        (
            PageParameter::Query,
            "GET /base/api/v1/payment/list?page=7",
            "",
        ),
        (PageParameter::Path, "GET /base/api/v1/payment/list/7", ""),
        (
            PageParameter::Body,
            "GET /base/api/v1/payment/list",
            r#"{"page":7}"#,
        ),
    ] {
        let service = Recorder::answering("[]").await;
        let world = World::with(|config| {
            config.upstream.base_url = format!("{}/base/", service.address).parse().unwrap();
            config.upstream.page_parameter = place;
            config.upstream.first_page = 7;
        })
        .await;
        let body = paying(&order(json!({})));
        for _ in 0..2 {
            let answer = world.create(&body).await;
            answer.is_refused_as(ProblemCode::ServiceUnreadable);
        }
        let requests = service.requests();
        let lines: Vec<_> = requests.iter().map(|request| &*request.line).collect();
        let create = "POST /base/api/v1/payment";
        assert_eq!(lines, [create, line, create]);
        assert_eq!(requests[1].body, sent);
    }
}

#[tokio::test]
async fn a_silent_service_times_out() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let world = World::with(|config| {
        let address = silent.local_addr().unwrap();
        config.upstream.base_url = format!("http://{address}").parse().unwrap();
        config.upstream.timeout = Duration::from_millis(100);
    })
    .await;
    let answer = world.create(&paying(&order(json!({})))).await;
    answer.is_refused_as(ProblemCode::ServiceTimeout);
}
