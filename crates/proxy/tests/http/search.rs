//! Tests of the search for a payment whose response was lost: which pages of the list it reads.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::json;
use tender_protocol::ProblemCode;
use tender_proxy::config::ListOrder;
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::lost_responses::{foreign, lose, on_create};
use crate::recognition::{invoice, others};
use crate::support::{World, order, page, paying, plain};

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
            let created = world
                .create(&plain(json!({ "invoiceNumber": invoice })))
                .await;
            created.record();
        }
        let found = world.create(&body).await;
        assert_eq!(world.transactions().last(), Some(&found.transaction_id()));
        assert_eq!(world.payments().len(), 40);
        // Two pages, and the end of the list.
        assert_eq!(world.calls(Endpoint::List), 3);
    }
}

/// Later pages are not read, whatever the length of the list, if a page has only payments of earlier days.
#[tokio::test]
async fn the_search_ends_at_older_payments() {
    let dated = |date: &str| {
        let records = others(0, 20).into_iter().map(|mut record| {
            record["createdAt"] = json!(date);
            record
        });
        page(json!(records.collect::<Vec<_>>()))
    };
    let mixed = {
        let mut records = vec![foreign(
            &json!({ "invoiceNumber": "INV-2", "createdAt": "2025/12/31" }),
        )];
        records.extend(others(0, 1));
        page(json!(records))
    };
    for list_order in [ListOrder::NewestFirst, ListOrder::Unknown] {
        let world = World::with(|config| config.upstream.list_order = list_order).await;
        lose(&world, Outcome::DropRequest, &invoice("INV-1")).await;
        for records in [
            dated("2999/12/31").once(),
            mixed.clone().once(),
            dated("2025/12/31"),
        ] {
            world.inject(records);
        }
        let answer = world.create(&invoice("INV-1")).await;
        if list_order == ListOrder::Unknown {
            answer.is_refused_as(ProblemCode::PaymentUnidentified);
            continue;
        }
        assert_eq!(answer.transaction_id(), world.transactions()[0]);
        // Absence over several pages needs a second pass, which ends at the first page with old payments.
        assert_eq!(world.calls(Endpoint::List), 4);
    }
}

/// A page may have fewer than 20 records.
#[tokio::test]
async fn a_short_page_does_not_end_the_search() {
    let other = foreign(&json!({ "transactionId": "other", "invoiceNumber": "INV-2" }));
    for first in [json!([other]), json!([{ "invoiceNumber": "INV-3" }, other])] {
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

/// A refused page proves nothing: the list may go on there.
#[tokio::test]
async fn a_refused_page_is_never_the_end() {
    for status in [StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND] {
        let world = World::new().await;
        lose(&world, Outcome::DropRequest, &invoice("INV-1")).await;
        world.inject(page(json!(others(0, 19))).once());
        // Each failed page is requested three times.
        for _ in 0..3 {
            let refusal = Fault::respond(status, "{}");
            world.inject(refusal.on(Endpoint::List).once());
        }
        let answer = world.create(&invoice("INV-1")).await;
        answer.is_refused_as(ProblemCode::ServiceRefused);
        assert_eq!(world.payments().len(), 0, "{status}");
    }
}

/// A payment leaves the list between two pages, so the searched one moves to a page that was read.
#[tokio::test]
async fn a_payment_that_moves_to_an_earlier_page_is_found() {
    let world = World::new().await;
    lose(&world, Outcome::DropRequest, &invoice("INV-1")).await;
    let mut shorter = others(0, 19);
    shorter.push(foreign(&json!({})));
    for records in [others(0, 20), others(0, 3), vec![], shorter] {
        world.inject(page(json!(records)).once());
    }
    let found = world.create(&invoice("INV-1")).await;
    assert_eq!(found.transaction_id(), "foreign");
    assert_eq!(world.payments().len(), 0);
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
    assert_eq!(world.calls(Endpoint::List), 3);
}
