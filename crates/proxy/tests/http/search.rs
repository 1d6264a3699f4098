//! Tests of the search for a payment whose response was lost: which pages of the list it reads, and what it recognises with
//! certainty.

use tender_proxy::config::ListOrder;

use crate::lost_responses::{foreign, lose, on_create};
use crate::metrics::{has, samples, with_metrics};
use crate::prelude::*;

/// A create request for an order with this invoice number.
pub(crate) fn invoice(number: &str) -> Value {
    paying(&order(json!({ "invoiceNumber": number })))
}

/// Records of other orders, with another price, on a page.
pub(crate) fn others(page: usize, count: usize) -> Vec<Value> {
    let other = |number| {
        let id = format!("other-{page}-{number}");
        foreign(&json!({ "transactionId": id, "invoiceNumber": id, "quantity": 26 }))
    };
    (0..count).map(other).collect()
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
        lose(&world, Outcome::DropAnswer, &invoice("INV-1")).await;
        for number in 2..=40 {
            let other = plain(json!({ "invoiceNumber": format!("INV-{number}") }));
            world.create(&other).await.record();
        }
        let found = world.create(&invoice("INV-1")).await;
        assert_eq!(world.transactions().last(), Some(&found.transaction_id()));
        assert_eq!(world.payments().len(), 40);
        // Two pages, and the end of the list.
        assert_eq!(world.calls(Endpoint::List), 3);
    }
}

/// Later pages are not read, whatever the length of the list, if a page has only payments of earlier days.
#[tokio::test]
async fn the_search_ends_at_older_payments() {
    let dated = |date: &str, mut records: Vec<Value>| {
        for record in &mut records {
            record["createdAt"] = json!(date);
        }
        records
    };
    let mut mixed = dated("2025/12/31", others(1, 1));
    mixed.extend(others(0, 1));
    for list_order in [ListOrder::NewestFirst, ListOrder::Unknown] {
        let world = World::with(|config| config.upstream.list_order = list_order).await;
        // The service has shown the date of this one by then.
        let known = world.begin("INV-0").await;
        world.becomes(&known, "Packed");
        let path = format!("{}?invoiceNumber=INV-0", path::ORDERS);
        Answer::to(world.by_merchant(Method::GET, &path))
            .await
            .has("Packed");
        world
            .release(&known.id, MERCHANT_KEY)
            .await
            .has_no_content();
        let calls = world.calls(Endpoint::List);
        lose(&world, Outcome::DropRequest, &invoice("INV-1")).await;
        world.inject(page(json!(dated("2999/12/31", others(0, 20)))).once());
        world.inject(page(json!(mixed)).once());
        world.inject(page(json!(dated("2025/12/31", others(0, 20)))));
        let answer = world.create(&invoice("INV-1")).await;
        if list_order == ListOrder::Unknown {
            answer.is_refused_as(ProblemCode::PaymentUnidentified);
            continue;
        }
        assert_eq!(answer.transaction_id(), world.transactions()[0]);
        // Absence over several pages needs a second pass, which ends at the first page with old payments. Once, the page before
        // the first one is read.
        assert_eq!(world.calls(Endpoint::List), calls + 5);
    }
}

/// A page may have fewer than 20 records.
#[tokio::test]
async fn a_short_page_does_not_end_the_search() {
    let world = World::new().await;
    lose(&world, Outcome::DropRequest, &invoice("INV-1")).await;
    world.inject(page(json!(others(0, 1))).once());
    world.inject(page(json!([foreign(&json!({}))])).once());
    let found = world.create(&invoice("INV-1")).await;
    assert_eq!(found.transaction_id(), "foreign");
    assert_eq!(world.calls(Endpoint::Create), 1);
}

/// A refused page proves nothing: the list may go on there.
#[tokio::test]
async fn a_refused_page_is_never_the_end() {
    let world = World::new().await;
    lose(&world, Outcome::DropRequest, &invoice("INV-1")).await;
    world.inject(page(json!(others(0, 19))).once());
    // Each failed page is requested three times.
    let refusal = responds(Endpoint::List, StatusCode::NOT_FOUND, "{}");
    world.inject(refusal.times(3.try_into().unwrap()));
    let answer = world.create(&invoice("INV-1")).await;
    answer.is_refused_as(ProblemCode::ServiceRefused);
    assert_eq!(world.payments().len(), 0);
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
        config.upstream.settle = Duration::from_secs(4);
    })
    .await;
    let body = paying(&order(json!({})));
    let gate = Gate::closed();
    world.inject(on_create(Outcome::Handle).behind(&gate));
    let lost = world.create(&body).await;
    lost.is_refused_as(ProblemCode::ServiceTimeout);
    assert_eq!(world.payments().len(), 0);

    let executed = async {
        world.until_called(Endpoint::List, 1).await;
        gate.open();
    };
    let (found, ()) = tokio::join!(world.create(&body), executed);
    assert_eq!(world.transactions(), [found.transaction_id()]);
    assert_eq!(world.calls(Endpoint::Create), 1);
    assert!(world.calls(Endpoint::List) > 1);
}

/// Several buyers may use one invoice number. Neither the payment of another attempt nor another buyer's is taken.
#[tokio::test]
async fn without_a_signed_order_the_buyer_must_match() {
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    let body = plain(json!({}));
    let first = world.create_once("first", &body).await;
    let first = Followed::from(&first);
    world.inject(on_create(Outcome::DropRequest));
    let lost = world.create_once("second", &body).await;
    lost.is_refused_as(ProblemCode::ServiceUnreachable);
    let other = foreign(&json!({ "purchaseEmail": "b@shop.example" }));
    let listed = json!([other, first.with_status("1", "Created")]);
    world.inject(page(listed).once());
    let second = world.create_once("second", &body).await;
    assert_eq!(world.transactions(), [second.transaction_id(), first.id]);
}

/// The first order's request never arrived; the second one's payment exists.
#[tokio::test]
async fn a_payment_of_a_similar_invoice_is_not_taken() {
    for (first, second) in [
        ("caseinv-1", "CASEINV-1"),
        ("ws inv 1", "wsinv1"),
        ("LONGPREFIX-11111", "LONGPREFIX-11111-B"),
        ("LONGPREFIX-33333-A", "LONGPREFIX-33333"),
    ] {
        let world = World::new().await;
        let (first, second) = (invoice(first), invoice(second));
        lose(&world, Outcome::DropRequest, &first).await;
        lose(&world, Outcome::DropAnswer, &second).await;
        let payment = world.transactions().remove(0);
        let early = world.create(&first).await;
        if early.status != StatusCode::OK {
            early.is_refused_as(ProblemCode::PaymentUnidentified);
        }
        assert_eq!(world.create(&second).await.transaction_id(), payment);
        // Now it is known whose payment that is.
        assert_ne!(world.create(&first).await.transaction_id(), payment);
        assert_eq!(world.payments().len(), 2);
    }
}

/// The service cuts the invoice numbers of both orders to the same text.
#[tokio::test]
async fn a_payment_with_a_cut_invoice_of_two_orders_is_not_taken() {
    let world = World::new().await;
    let [first, second] = ["LONGPREFIX-11111-A", "LONGPREFIX-11111-B"].map(invoice);
    for body in [&first, &second] {
        lose(&world, Outcome::DropRequest, body).await;
    }
    let cut = foreign(&json!({ "invoiceNumber": "LONGPREFIX-11111" }));
    for body in [&first, &second] {
        world.inject(page(json!([cut])).once());
        let answer = world.create(body).await;
        answer.is_refused_as(ProblemCode::PaymentUnidentified);
    }
    assert_eq!(world.payments().len(), 0);
}

/// A payment is shown only if no other record on any page could be it, and another one is created only if none could. What
/// could be it is tested with the rules of the ledger.
#[tokio::test]
async fn of_records_in_doubt_none_is_shown_or_ignored() {
    let possible = |id: &str| foreign(&json!({ "transactionId": id }));
    for pages in [vec![possible("one"), possible("another")], vec![json!(5)]] {
        let world = World::new().await;
        lose(&world, Outcome::DropRequest, &invoice("INV-1")).await;
        for record in &pages {
            world.inject(page(json!([record])).once());
        }
        let answer = world.create(&invoice("INV-1")).await;
        answer.is_refused_as(ProblemCode::PaymentUnidentified);
        assert_eq!(world.payments().len(), 0, "{pages:?}");
    }
}

/// The newest payments are on the page before the first one, which the service counts as 0.
#[tokio::test]
async fn a_first_page_that_is_not_the_first_creates_nothing() {
    let mut sandbox = tender_sandbox::Config::on_free_ports();
    sandbox.first_page = 0;
    let world = World::before(sandbox, with_metrics).await;
    lose(&world, Outcome::DropAnswer, &invoice("INV-1")).await;
    let refused = world.create(&invoice("INV-1")).await;
    refused.is_refused_as(ProblemCode::PaymentUnidentified);
    assert_eq!(world.payments().len(), 1);
    let samples = samples(&world).await;
    has(&samples, "misnumbered_pages_total{reason=\"earlier\"} 1");
}

/// It is noticed by the first poll, before an order depends on it.
#[tokio::test]
async fn a_first_page_that_is_not_the_first_is_noticed_by_a_poll() {
    let mut sandbox = tender_sandbox::Config::on_free_ports();
    sandbox.first_page = 0;
    let world = World::before(sandbox, |config| {
        with_metrics(config);
        fast_polling(config);
    });
    let world = world.await;
    world.begin("INV-1").await;
    until(async || {
        let samples = samples(&world).await;
        samples
            .get("tender_misnumbered_pages_total{reason=\"earlier\"}")
            .filter(|count| **count > 0.0)
            .copied()
    })
    .await;
}

/// The proxy's clock says that all listed payments are from earlier days.
#[tokio::test]
async fn a_clock_that_was_ahead_ends_no_search_early() {
    let unsigned = |config: &mut Config| config.orders.allow_unsigned = true;
    let mut world = World::persistent(unsigned).await;
    // On SQLite, the clock continues from the latest time in the database.
    world
        .execute("UPDATE heartbeat SET written_at = 4000000000000")
        .await;
    world.replace_proxy(|_| {}).await.stop().await;
    lose(&world, Outcome::DropAnswer, &invoice("INV-1")).await;
    for number in 2..=25 {
        let other = plain(json!({ "invoiceNumber": format!("INV-{number}") }));
        world.create(&other).await.record();
    }
    let found = world.create(&invoice("INV-1")).await;
    assert_eq!(world.transactions().last(), Some(&found.transaction_id()));
    assert_eq!(world.payments().len(), 25);
}
