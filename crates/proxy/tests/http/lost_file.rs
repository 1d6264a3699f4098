//! Tests of SQLite files that are moved away, deleted or truncated while the proxy runs.

use std::fs::OpenOptions;
use std::fs::remove_file;
use std::fs::rename;
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::json;
use tempfile::TempDir;
use tender_protocol::{ProblemCode, path};
use tender_proxy::config::Database;
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::answer::Answer;
use crate::followed::without_polling;
use crate::list_pages::{until_metric, with_metrics};
use crate::support::{WEBHOOK_SECRET, World, order, paying};

fn unavailable(answer: &Answer) {
    answer.is_refused_as(ProblemCode::DatabaseUnavailable);
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(answer.header("retry-after"), "2");
}

#[tokio::test]
async fn nothing_is_created_and_no_payment_is_forgotten() {
    let directory = TempDir::new().unwrap();
    let [file, elsewhere] = ["tender.db", "moved.db"].map(|name| directory.path().join(name));
    let world = World::with(|config| {
        config.store.database = Database::File(file.clone());
        config.upstream.timeout = Duration::from_secs(2);
    })
    .await;
    let body = paying(&order(json!({})));
    let slow = Fault::new(Outcome::Handle).hold_ms(1000).once();
    world.inject(slow.on(Endpoint::Create));
    let creating = tokio::spawn(Answer::to(world.post(path::PAYMENT, &body)));
    world.until_called(Endpoint::Create, 1).await;
    rename(&file, &elsewhere).unwrap();

    // The payment was created, but can't be stored.
    unavailable(&creating.await.unwrap());
    unavailable(&world.create(&body).await);
    unavailable(
        &world
            .create(&paying(&order(json!({ "invoiceNumber": "J" }))))
            .await,
    );
    unavailable(&world.get("/readyz").await);
    assert_eq!(world.calls(Endpoint::Create), 1);

    rename(&elsewhere, &file).unwrap();
    let found = world.create(&body).await;
    assert_eq!(world.transactions(), [found.transaction_id()]);
    assert_eq!(world.calls(Endpoint::Create), 1);
}

#[tokio::test]
async fn nothing_is_created_without_the_write_ahead_log_or_its_index() {
    for (name, is_truncated) in [
        ("tender.db-wal", false),
        ("tender.db-wal", true),
        ("tender.db-shm", false),
    ] {
        let directory = TempDir::new().unwrap();
        let file = directory.path().join("tender.db");
        let world = World::with(|config| config.store.database = Database::File(file)).await;
        world
            .create(&paying(&order(json!({}))))
            .await
            .transaction_id();
        let damaged = directory.path().join(name);
        if is_truncated {
            OpenOptions::new()
                .write(true)
                .truncate(true)
                .open(damaged)
                .unwrap();
        } else {
            remove_file(damaged).unwrap();
        }
        let another = paying(&order(json!({ "invoiceNumber": "J" })));
        unavailable(&world.create(&another).await);
        unavailable(&world.get("/readyz").await);
        assert_eq!(world.calls(Endpoint::Create), 1);
    }
}

#[tokio::test]
async fn a_poll_cycle_that_can_not_store_a_change_is_counted() {
    let directory = TempDir::new().unwrap();
    let [file, elsewhere] = ["tender.db", "moved.db"].map(|name| directory.path().join(name));
    let world = World::with(|config| {
        without_polling(config);
        with_metrics(config);
        config.store.database = Database::File(file.clone());
    })
    .await;
    let payment = world.begin("INV-1").await;
    let _tab = world.listen(&payment).await;
    world.set_status(&payment.id, "2", "Paid");
    let slow = Fault::new(Outcome::Handle).hold_ms(2000).once();
    world.inject(slow.on(Endpoint::List));
    world.notify(WEBHOOK_SECRET, "{}").await;
    world.until_called(Endpoint::List, 1).await;
    rename(&file, &elsewhere).unwrap();
    let counted = r#"tender_poll_cycles_total{outcome="database-unavailable"}"#;
    until_metric(&world, counted).await;
}
