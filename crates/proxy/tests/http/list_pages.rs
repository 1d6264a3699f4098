//! Tests of how the proxy reads the pages of the service's list. Only an empty page is the end.

use crate::lost_responses::lose;
use crate::metrics::{has, samples, with_metrics};
use crate::prelude::*;
use crate::search::{invoice, others};

/// Waits until the proxy has counted something with this name and these labels.
async fn until_counted(world: &World, name: &str) {
    until(async || (samples(world).await.get(name)? > &0.0).then_some(())).await;
}

/// Also after a short page, or if a later page is refused; then the cycle has not read the list.
#[tokio::test]
async fn a_payment_is_followed_on_every_page() {
    let world = World::with(with_metrics).await;
    let followed = world.begin("INV-1").await;
    // It is not on the first page, so the second one is read.
    let other = world.begin("INV-2").await;
    let mut tab = world.watch(&followed).await;
    let refused = Fault::respond(StatusCode::NOT_FOUND, "{}").on(Endpoint::List);
    let listed = |status| json!([followed.with_status("2", status)]);
    world.inject(page(listed("Confirming")).once());
    world.inject(refused.once());
    world.notify("{}").await;
    assert_eq!(tab.next().await.status(), "Confirming");
    until_counted(
        &world,
        r#"tender_poll_cycles_total{outcome="service-refused"}"#,
    )
    .await;
    assert_eq!(world.calls(Endpoint::List), 2);

    world.inject(page(json!([other.with_status("1", "Created")])).once());
    world.inject(page(listed("Paid")).once());
    world.notify(r#"{"x":1}"#).await;
    assert_eq!(tab.next().await.status(), "Paid");
    until_counted(&world, r#"tender_poll_cycles_total{outcome="ok"}"#).await;

    // An empty list beside payments is counted.
    world.inject(page("[]"));
    world.notify(r#"{"x":2}"#).await;
    until_counted(&world, r#"tender_misnumbered_pages_total{reason="empty"}"#).await;
}

/// The service counts from 0, so its first page is never read.
#[tokio::test]
async fn nothing_is_created_if_the_first_page_is_another_one() {
    for (before, reason) in [(2, "empty"), (21, "missing")] {
        let mut sandbox = tender_sandbox::Config::on_free_ports();
        sandbox.first_page = 0;
        let world = World::before(sandbox, with_metrics).await;
        for number in 0..before {
            world.begin(&format!("INV-0-{number}")).await;
        }
        lose(&world, Outcome::DropAnswer, &invoice("INV-1")).await;
        for token in ["trx", "btc"] {
            let answer = world.pays_in(token).await;
            answer.is_refused_as(ProblemCode::PaymentUnidentified);
        }
        assert_eq!(world.payments().len(), before + 1);
        let twice = format!("misnumbered_pages_total{{reason=\"{reason}\"}} 2");
        has(&samples(&world).await, &twice);
    }
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
        let answer = world.pays_in(token).await;
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
