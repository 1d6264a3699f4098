//! Which events are due, and who sends them.

use std::collections::BTreeSet;

use sqlx::Row as _;

use super::super::claim::DUE;
use super::*;

on_each_database! {
    an_event_is_sent_again_after_its_lease_expired
    a_hundred_thousand_events_are_claimed_by_an_index
}

/// The instance that sends an event dies, or is suspended for longer than its lease.
async fn an_event_is_sent_again_after_its_lease_expired(config: config::Database) {
    let store = open(config).await;
    store.created("a").await;
    store.write("a", 0, EventKind::Created).await;
    let first = store.claimed().await;
    let ended = "UPDATE outbox SET lease_until = 1";
    store.database.execute(ended).await;
    let second = store.claimed().await;
    assert_eq!(first[0].event.id, second[0].event.id);
    // The first instance continues, but can't write any more.
    assert!(!store.end_try(&first[0], Verdict::GivenUp).await);
    assert_eq!(store.states(DeliveryState::GivenUp).await, 0);
    assert!(store.end_try(&second[0], Verdict::Delivered).await);
    assert_eq!(store.states(DeliveryState::Delivered).await, 1);
    assert!(store.claimed().await.is_empty());
}

async fn a_hundred_thousand_events_are_claimed_by_an_index(config: config::Database) {
    let store = open(config).await;
    // Two events of each payment, the later one with the smaller id.
    let insert = "
        WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 99999)
        INSERT INTO outbox (id, transaction_id, position, due_at,
            kind, record, written_at, state, tries, fence, lease_until)
        SELECT 'msg_' || CAST(200000 - n AS TEXT), 'p' || CAST(n / 2 AS TEXT), n % 2, n,
            'payment.created', '{}', 0, 'waiting', 0, 0, 0 FROM numbers";
    store.database.execute(insert).await;
    store.database.execute("ANALYZE outbox").await;
    let sql = DUE
        .replace("$1", "200000")
        .replace("$2", "8")
        .replace("$3", "900000");
    let is_postgres = store.database.is_postgres();
    let explain = if is_postgres {
        "EXPLAIN "
    } else {
        "EXPLAIN QUERY PLAN "
    };
    let explain = Query::new(AssertSqlSafe(format!("{explain}{sql}")), []);
    let column = if is_postgres { 0 } else { 3 };
    let mut session = store.database.reader().await.unwrap();
    let plan = session.rows_of(explain, |row| row.try_get::<String, _>(column));
    let plan = plan.await.unwrap().join("\n");
    drop(session);
    assert!(
        plan.contains("outbox_due") && plan.contains("outbox_of_payment"),
        "{plan}"
    );
    assert!(
        !plan.contains("Seq Scan") && !plan.contains("TEMP B-TREE"),
        "{plan}"
    );

    let mut payments = BTreeSet::new();
    for _ in 0..50 {
        let claimed = store.claim_events(8, CALL).await.unwrap();
        assert_eq!(claimed.len(), 8);
        for event in claimed {
            assert_eq!(event.event.position, 0);
            assert!(payments.insert(event.event.transaction_id.clone()));
            assert!(store.end_try(&event, Verdict::TryAgain(HOUR)).await);
        }
    }
    assert_eq!(store.count_events().await.unwrap().0, 100_000);
    // Pages of the list, until the end of one payment's.
    let listed = store.deliveries(Filter::default()).await.unwrap();
    assert!(listed.more);
    let before = Filter {
        before: Some(listed.deliveries[99].id.clone()),
        ..Filter::default()
    };
    let next = store.deliveries(before).await.unwrap();
    assert!(next.deliveries[0].id < listed.deliveries[99].id);
}
