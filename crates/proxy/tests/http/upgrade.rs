//! Tests that a database of an earlier version keeps what it knows of orders.

use sqlx::{AnyConnection, Connection as _, Executor as _};
use tender_protocol::ledger::Reason;

use crate::database::persistent_database;
use crate::prelude::*;

/// The tables of version 4, and what a database of it contains.
const VERSION_4: [&str; 5] = [
    include_str!("../../src/store/database/migrations/1_tables.sql"),
    include_str!("../../src/store/database/migrations/2_outbox.sql"),
    include_str!("../../src/store/database/migrations/3_stages.sql"),
    include_str!("../../src/store/database/migrations/4_signed_order.sql"),
    include_str!("upgrade/version_4.sql"),
];

async fn fill(address: &str) {
    let version = match address.split_once(':') {
        Some(("sqlite", _)) => include_str!("upgrade/sqlite.sql"),
        _ => include_str!("upgrade/postgresql.sql"),
    };
    sqlx::any::install_default_drivers();
    let mut database = AnyConnection::connect(address).await.unwrap();
    for statements in VERSION_4.into_iter().chain([version]) {
        database.execute(statements).await.unwrap();
    }
}

#[tokio::test]
async fn a_database_of_version_4_keeps_its_orders() {
    let (address, directory) = persistent_database();
    fill(&address).await;
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
