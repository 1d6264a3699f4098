//! Tests of merchants' events on a database in memory. The routes are tested over HTTP.

use super::*;
use crate::store::payments::Watermark;

const MINUTE: Duration = Duration::from_mins(1);

/// The names and ids of all events.
async fn announced(store: &Store) -> Vec<String> {
    let events = store.events(0, None).await.unwrap().into_iter();
    let heads = events.map(|event| format!("event: {} id: {}", event.kind, event.change.id));
    heads.collect()
}

async fn announced_until(store: &Store) -> Option<i64> {
    let clock = store.clock().await.unwrap();
    polling(store).await.announced_until(clock)
}

#[tokio::test]
async fn a_new_payment_is_announced_once_by_the_lease_holder() {
    let store = store().await;
    store.extend_merchant_interest(MINUTE).await.unwrap();
    let since = announced_until(&store).await.unwrap();
    for id in ["a", "b"] {
        add(&store, id, Duration::ZERO).await;
    }
    let superseded = take(&store).await.unwrap();
    store
        .database
        .execute("UPDATE polling SET lease_until = 0, due_at = 0")
        .await;
    let cycle = take(&store).await.unwrap();
    let late = store.announce_payments(&superseded, since).await;
    assert!(matches!(late, Err(database::Error::LeaseLost)));
    assert_eq!(announced(&store).await, Vec::<String>::new());

    store.announce_payments(&cycle, since).await.unwrap();
    assert!(announced_until(&store).await.unwrap() >= since);
    let both = ["event: created id: 1", "event: created id: 2"];
    assert_eq!(announced(&store).await, both);
    store.announce_payments(&cycle, since).await.unwrap();
    assert_eq!(announced(&store).await, both);
    add(&store, "c", Duration::ZERO).await;
    store.announce_payments(&cycle, since).await.unwrap();
    assert_eq!(announced(&store).await.len(), 3);
    assert_eq!(
        polling(&store).await.watermark,
        Watermark {
            last_event: 3,
            notified: 0,
        }
    );
}

#[tokio::test]
async fn payments_from_before_the_stream_are_not_announced() {
    let store = store().await;
    assert_eq!(announced_until(&store).await, None);
    add(&store, "old", Duration::ZERO).await;
    // As if it had been added an hour ago.
    store
        .database
        .execute("UPDATE payments SET kept_until = kept_until - 3600000")
        .await;
    store.extend_merchant_interest(MINUTE).await.unwrap();
    add(&store, "new", Duration::ZERO).await;
    let since = announced_until(&store).await.unwrap();
    // Another stream, or a later renewal, does not restart the announcements.
    store.extend_merchant_interest(2 * MINUTE).await.unwrap();
    assert_eq!(announced_until(&store).await, Some(since));
    let cycle = take(&store).await.unwrap();
    store.announce_payments(&cycle, since).await.unwrap();
    assert_eq!(announced(&store).await.len(), 1);

    // When all streams have ended, the next one starts again.
    store
        .database
        .execute("UPDATE polling SET merchant_until = 1, announced_until = 1")
        .await;
    assert_eq!(announced_until(&store).await, None);
    store.extend_merchant_interest(MINUTE).await.unwrap();
    assert!(announced_until(&store).await.unwrap() >= since);
}

#[tokio::test]
async fn only_the_newest_of_too_many_payments_are_announced() {
    let store = store().await;
    let cycle = take(&store).await.unwrap();
    let since = store.clock().await.unwrap().now;
    for number in 0..510 {
        add(&store, &number.to_string(), Duration::ZERO).await;
    }
    // Make these the oldest, independently of the clock.
    store
        .database
        .execute(
            "UPDATE payments SET kept_until = kept_until - 1000, record = 'old'
        WHERE CAST(transaction_id AS BIGINT) < 10",
        )
        .await;
    store.announce_payments(&cycle, since).await.unwrap();
    let events = store.events(0, None).await.unwrap();
    assert_eq!(events.len(), 500);
    assert!(!events.iter().any(|event| event.change.record == "old"));
}
