//! Tests of how the proxy reads the pages of the service's list. Only an empty page is the end.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::json;
use tender_protocol::ProblemCode;
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::followed::fast_polling;
use crate::lost_responses::lose;
use crate::metrics::{has, samples, with_metrics};
use crate::recognition::{invoice, others};
use crate::support::{WEBHOOK_SECRET, World, order, page, paying_in};

fn refused() -> Fault {
    Fault::respond(StatusCode::NOT_FOUND, "{}").on(Endpoint::List)
}

/// Waits for a metric whose name begins like this.
async fn until_metric(world: &World, begin: &str) -> (String, f64) {
    loop {
        let mut samples = samples(world).await.into_iter();
        if let Some(sample) = samples.find(|(name, _)| name.starts_with(begin)) {
            return sample;
        }
    }
}

/// The list after a cancellation ends with something that is not the payment and not the end.
#[tokio::test]
async fn a_payment_is_not_gone_until_the_list_has_ended() {
    for after in [
        vec![page(json!(others(0, 19))).once(), refused()],
        vec![page(json!(others(0, 20))).once(), refused()],
        vec![page(json!([5])).once()],
        vec![page(json!([{ "statusId": "2" }])).once()],
    ] {
        let world = World::new().await;
        let payment = world.begin("INV-1").await;
        world.inject(Fault::new(Outcome::Handle).on(Endpoint::List).once());
        for fault in after {
            world.inject(fault);
        }
        world.inject(page(json!([])));
        let answer = world.cancel(&payment.id, &payment.receipt).await;
        answer.is_refused_as(ProblemCode::CancelUnconfirmed);
        assert_eq!(world.calls(Endpoint::Cancel), 1);
    }
}

#[tokio::test]
async fn a_payment_after_a_short_page_is_followed() {
    let world = World::new().await;
    let payment = world.begin("INV-1").await;
    let paid = payment.with_status("2", "Paid");
    let mut tab = world.listen(&payment).await;
    assert_eq!(tab.next().await.status(), "Created");
    world.inject(page(json!(others(0, 1))).once());
    world.inject(page(json!([paid])).once());
    world.notify(WEBHOOK_SECRET, "{}").await;
    assert_eq!(tab.next().await.status(), "Paid");
}

/// What is on the first page is followed all the same.
#[tokio::test]
async fn a_cycle_that_is_refused_a_page_has_not_read_the_list() {
    let world = World::with(with_metrics).await;
    let followed = world.begin("INV-1").await;
    // It is not on the first page, so the second one is read.
    world.begin("INV-2").await;
    let mut tab = world.listen(&followed).await;
    assert_eq!(tab.next().await.status(), "Created");
    let paid = followed.with_status("2", "Paid");
    world.inject(page(json!([paid])).once());
    world.inject(refused().once());
    world.notify(WEBHOOK_SECRET, "{}").await;
    assert_eq!(tab.next().await.status(), "Paid");
    let refused = r#"tender_poll_cycles_total{outcome="service-refused"}"#.to_owned();
    let counted = until_metric(&world, "tender_poll_cycles_total").await;
    assert_eq!(counted, (refused, 1.0));
    assert_eq!(world.calls(Endpoint::List), 2);
}

/// The service counts from 0, so its first page is never read.
#[tokio::test]
async fn nothing_is_created_if_the_first_page_is_another_one() {
    for (before, reason) in [(2, "empty"), (21, "missing")] {
        let mut sandbox = tender_sandbox::Config::on_free_ports();
        sandbox.first_page = 0;
        let world = World::before(sandbox, with_metrics).await;
        for number in 0..before {
            let earlier = invoice(&format!("INV-0-{number}"));
            world.create(&earlier).await.record();
        }
        lose(&world, Outcome::DropAnswer, &invoice("INV-1")).await;
        for token in ["trx", "btc"] {
            let again = paying_in(token, &order(json!({})));
            let answer = world.create(&again).await;
            answer.is_refused_as(ProblemCode::PaymentUnidentified);
        }
        assert_eq!(world.payments().len(), before + 1);
        let twice = format!("misnumbered_pages_total{{reason=\"{reason}\"}} 2");
        has(&samples(&world).await, &twice);
    }
}

#[tokio::test]
async fn an_empty_list_beside_payments_is_counted() {
    let world = World::with(|config| {
        fast_polling(config);
        with_metrics(config);
    })
    .await;
    world.inject(page(json!([])));
    world.begin("INV-1").await;
    until_metric(&world, r#"tender_misnumbered_pages_total{reason="empty"}"#).await;
}

/// The service ignores the page number.
#[tokio::test]
async fn a_list_that_repeats_its_page_is_not_read_on() {
    let world = World::with(with_metrics).await;
    lose(&world, Outcome::DropAnswer, &invoice("INV-1")).await;
    world.inject(page(json!(others(0, 20))));
    let answer = world.create(&invoice("INV-1")).await;
    answer.is_refused_as(ProblemCode::PaymentUnidentified);
    assert_eq!(world.calls(Endpoint::List), 3);
    assert_eq!(world.payments().len(), 1);
    let twice = r#"misnumbered_pages_total{reason="repeated"} 2"#;
    has(&samples(&world).await, twice);
}

/// All requests for an order share the failure.
#[tokio::test]
async fn an_endless_list_is_read_once() {
    let world = World::new().await;
    lose(&world, Outcome::DropAnswer, &invoice("INV-1")).await;
    for number in 0..60 {
        world.inject(page(json!(others(number, 20))).once());
    }
    for token in ["trx", "trx", "btc"] {
        let answer = world.create(&paying_in(token, &order(json!({})))).await;
        answer.is_refused_as(ProblemCode::PaymentUnidentified);
        assert_eq!(world.calls(Endpoint::List), 50);
    }
    let answer = world.create(&invoice("INV-1")).await;
    assert!(answer.header("retry-after").parse::<u64>().unwrap() <= 60);
    assert_eq!(world.payments().len(), 1);
}

#[tokio::test]
async fn a_slow_endless_list_is_not_read_for_long() {
    let world = World::with(|config| config.upstream.timeout = Duration::from_secs(1)).await;
    lose(&world, Outcome::DropAnswer, &invoice("INV-1")).await;
    for number in 0..50 {
        world.inject(page(json!(others(number, 20))).delay_ms(400).once());
    }
    let answer = world.create(&invoice("INV-1")).await;
    answer.is_refused_as(ProblemCode::PaymentUnidentified);
    assert!(world.calls(Endpoint::List) <= 26, "ten seconds of calls");
    assert_eq!(world.payments().len(), 1);
}
