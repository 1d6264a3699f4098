//! Which events are due, and who sends them.

use std::collections::BTreeSet;

use sqlx::Row as _;

use super::super::claim::DUE;
use super::*;
use crate::store::lease;

const KINDS: [EventKind; 6] = [
    EventKind::Created,
    EventKind::Updated,
    EventKind::Pending,
    EventKind::Underpaid,
    EventKind::Paid,
    EventKind::Closed,
];

on_each_database! {
    an_event_is_sent_again_after_its_lease_expired
    only_what_asks_nothing_of_a_shop_is_set_aside
    a_set_aside_event_delays_no_later_one
    a_hundred_thousand_events_are_claimed_by_an_index
}

/// The instance that sends an event dies, or is suspended for longer than its lease.
async fn an_event_is_sent_again_after_its_lease_expired(config: config::Database) {
    let store = open(config).await;
    store.created("a").await;
    store.write("a", 0, EventKind::Created).await;
    let first = store.claimed().await;
    // Whatever the database's clock says.
    let ended = "UPDATE outbox SET lease_until = 1";
    store.database.execute(ended).await;
    assert_eq!(store.claimed().await.len(), 0);
    testing::pass(lease::length(CALL)).await;
    let second = store.claimed().await;
    assert_eq!(first[0].0.id, second[0].0.id);
    // The first instance continues, but can't write any more.
    assert!(!store.end_try(&first[0], Verdict::GivenUp).await);
    assert_eq!(store.states(DeliveryState::GivenUp).await, 0);
    assert!(store.end_try(&second[0], Verdict::Delivered).await);
    assert_eq!(store.states(DeliveryState::Delivered).await, 1);
    assert!(store.claimed().await.is_empty());
}

/// The statements and the program agree on it.
async fn only_what_asks_nothing_of_a_shop_is_set_aside(config: config::Database) {
    let store = open(config).await;
    for kind in KINDS {
        let id = kind.as_str();
        store.created(id).await;
        store.write(id, 0, kind).await;
    }
    let due = "UPDATE outbox SET due_at = 0";
    for tries in 1..=4 {
        store.database.execute(due).await;
        for event in store.claimed().await {
            assert!(store.end_try(&event, Verdict::TryAgain(HOUR)).await);
        }
        let is_set_aside =
            |kind| tries >= 3 && matches!(kind, EventKind::Created | EventKind::Updated);
        let listed = store.deliveries(Filter::default()).await.unwrap();
        for state in [DeliveryState::SetAside, DeliveryState::Waiting] {
            let expected = KINDS
                .into_iter()
                .filter(|kind| is_set_aside(*kind) == (state == DeliveryState::SetAside));
            let expected: BTreeSet<_> = expected.map(EventKind::as_str).collect();
            let listed = listed.deliveries.iter();
            let listed = listed.filter(|delivery| delivery.state == state);
            let listed: BTreeSet<_> = listed.map(|delivery| &*delivery.kind).collect();
            assert_eq!(listed, expected, "{tries} {state:?}");
            assert_eq!(store.states(state).await, expected.len());
        }
        let unsent = store.count_events().await.unwrap();
        let set_aside = if tries >= 3 { 2 } else { 0 };
        assert_eq!(
            (unsent.set_aside, unsent.waiting),
            (set_aside, 6 - set_aside)
        );
    }
}

async fn a_set_aside_event_delays_no_later_one(config: config::Database) {
    let store = open(config).await;
    store.created("a").await;
    store.write("a", 0, EventKind::Created).await;
    store.write("a", 1, EventKind::Paid).await;
    let due = "UPDATE outbox SET due_at = 0";
    let claimed = async || -> Vec<_> {
        let claimed = store.claimed().await.into_iter();
        claimed
            .map(|claimed| (claimed.0.position, claimed))
            .collect()
    };
    for _ in 0..3 {
        store.database.execute(due).await;
        let [(0, created)] = &*claimed().await else {
            panic!("the later one does not wait");
        };
        assert!(store.end_try(created, Verdict::TryAgain(HOUR)).await);
    }
    // It is sent at once, and so is one that is written now.
    store.write("a", 2, EventKind::Closed).await;
    let [(1, paid)] = &*claimed().await else {
        panic!("the later one waits");
    };
    assert!(store.end_try(paid, Verdict::TryAgain(HOUR)).await);
    // A later try of the first one does not make the others due.
    store
        .database
        .execute("UPDATE outbox SET due_at = 0 WHERE position = 0")
        .await;
    let [(0, created)] = &*claimed().await else {
        panic!("it is not tried again");
    };
    assert!(store.end_try(created, Verdict::Delivered).await);
    assert_eq!(claimed().await.len(), 0);
    store.database.execute(due).await;
    let [(1, paid)] = &*claimed().await else {
        panic!("the others are not in order");
    };
    assert!(store.end_try(paid, Verdict::Delivered).await);
    let [(2, _)] = &*claimed().await else {
        panic!("the last one waits");
    };
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
            assert_eq!(event.0.position, 0);
            assert!(payments.insert(event.0.transaction_id.clone()));
            assert!(store.end_try(&event, Verdict::TryAgain(HOUR)).await);
        }
    }
    assert_eq!(store.count_events().await.unwrap().waiting, 100_000);
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
