//! Tests that a database of an earlier version keeps what it knows of orders.

use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Executor as _};
use tender_protocol::ledger::Reason;

use crate::database::persistent_database;
use crate::prelude::*;

/// The migrations to the tables of version 8.
const MIGRATIONS: [&str; 8] = [
    include_str!("../../src/store/database/migrations/1_tables.sql"),
    include_str!("../../src/store/database/migrations/2_outbox.sql"),
    include_str!("../../src/store/database/migrations/3_stages.sql"),
    include_str!("../../src/store/database/migrations/4_signed_order.sql"),
    include_str!("../../src/store/database/migrations/5_follow.sql"),
    include_str!("../../src/store/database/migrations/6_ledger.sql"),
    include_str!("../../src/store/database/migrations/7_released.sql"),
    include_str!("../../src/store/database/migrations/8_orders.sql"),
];

/// Makes a database of this version, with these rows.
async fn fill(address: &str, version: usize, rows: &'static str) {
    sqlx::any::install_default_drivers();
    let mut database = AnyConnection::connect(address).await.unwrap();
    for statements in MIGRATIONS.into_iter().take(version).chain([rows]) {
        database.execute(statements).await.unwrap();
    }
    let mut noted = format!("PRAGMA user_version = {version}");
    if !address.starts_with("sqlite:") {
        database
            .execute(include_str!("upgrade/postgresql.sql"))
            .await
            .unwrap();
        noted = format!("DELETE FROM _sqlx_migrations WHERE version > {version}");
    }
    database.execute(AssertSqlSafe(noted)).await.unwrap();
}

#[tokio::test]
async fn a_database_of_version_4_keeps_its_orders() {
    let (address, directory) = persistent_database();
    fill(&address, 4, include_str!("upgrade/version_4.sql")).await;
    let world = World::on((address, directory), |_| {}).await;

    let reconciling = world.ledger(&[]).await.reconciling;
    let found = |reason: Reason| {
        let mut all = reconciling.iter();
        all.find(|entry| entry.reason == reason).cloned().unwrap()
    };
    let cancelling = found(Reason::CancelUnanswered);
    assert_eq!(cancelling.transaction_id.as_deref(), Some("cancelling-1"));
    let late = found(Reason::LateDuplicate);
    assert_eq!(late.transaction_id.as_deref(), Some("late-1"));
    // Another instance works on the third, and nothing is known of the past orders that could be shown.
    assert_eq!(reconciling.len(), 2);

    for (invoice, code) in [
        ("INV-CANCEL", ProblemCode::EarlierPaymentOpen),
        ("INV-PAST", ProblemCode::PaymentUnidentified),
    ] {
        let order = order(json!({ "invoiceNumber": invoice }));
        for body in [paying(&order), paying_in("btc", &order)] {
            world.create(&body).await.is_refused_as(code);
        }
    }
    let fence =
        "UPDATE attempts SET fence = 8 WHERE id = 'leased' AND fence = 7 AND lease_until > 0
        AND EXISTS (SELECT 1 FROM attempt_keys WHERE attempt_id = 'leased')";
    assert_eq!(world.execute(fence).await, 1);
    assert_eq!(world.calls(Endpoint::Create), 0);
    assert_eq!(world.calls(Endpoint::Cancel), 0);
}

#[tokio::test]
async fn a_database_of_version_8_keeps_what_it_knows_of_money() {
    let (address, directory) = persistent_database();
    fill(&address, 8, include_str!("upgrade/version_8.sql")).await;
    let shop = Shop::open().await;
    let world = World::on((address, directory), |config| {
        mapped(config);
        shop.receives(config);
    });
    let world = world.await;
    for invoice in ["INV-PAID", "INV-SEEN"] {
        let order = order(json!({ "invoiceNumber": invoice }));
        for body in [paying(&order), paying_in("btc", &order)] {
            let refused = world.create(&body).await;
            refused.is_refused_as(ProblemCode::PaymentProgressed);
        }
    }
    let path = format!("{}?invoiceNumber=INV-TWICE", path::ORDERS);
    let answer = Answer::to(world.by_merchant(Method::GET, &path)).await;
    let answer: Value = serde_json::from_str(&answer.body).unwrap();
    let payments = answer["payments"].as_array().unwrap();
    let stated = payments.iter().map(|it| (&it["state"], &it["orderPaid"]));
    let expected = [
        (&json!("paid"), &Value::Null),
        (&json!("closed"), &json!(true)),
    ];
    assert_eq!(stated.collect::<Vec<_>>(), expected);
    let sent = shop.until_received(1).await[0].json();
    assert_eq!(sent["data"]["state"], "closed");
    assert_eq!(sent["data"]["orderPaid"], true);

    // A mark stands until the merchant removes it.
    let marked = order(json!({ "invoiceNumber": "INV-MARKED" }));
    let marked = Followed::from(&world.find(&marked).await);
    assert!(
        marked.record.contains(r#""sent":true"#),
        "{}",
        marked.record
    );
    assert!(!world.mark(&marked, "secret").await.first);
    let refused = world.cancel(&marked.id, &marked.receipt).await;
    refused.is_refused_as(ProblemCode::PaymentSent);
    let known = world.ledger(&[&marked.id]).await.payments.remove(0);
    assert_eq!((known.sent, known.notifications), (2, 3));
    assert_eq!(known.notified_at.as_deref(), Some("2030-03-17T15:00:00Z"));

    assert_eq!(world.calls(Endpoint::Create), 0);
    for invoice in ["INV-RELEASED", "INV-CLOSED"] {
        let order = order(json!({ "invoiceNumber": invoice }));
        world.create(&paying(&order)).await.succeeds();
    }
}
