//! What merchants are told of, on a database of its own. The rest is tested over HTTP.

use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::following::round::WriteError;
use crate::following::tests::{add, execute, polling, store, take};
use crate::metrics::Metrics;

const MINUTE: Duration = Duration::from_mins(1);

fn pulse(last_event: i64, notified: i64) -> Pulse {
    Pulse {
        last_event,
        notified,
    }
}

/// What merchants heard, event by event: the names and the numbers.
async fn told(store: &Store) -> Vec<String> {
    let events = store.events(0).await.unwrap().into_iter();
    let frames = events.map(|event| String::from_utf8(event.frame.to_vec()).unwrap());
    let heads = frames.map(|frame| frame.lines().take(2).collect::<Vec<_>>().join(" "));
    heads.collect()
}

async fn told_until(store: &Store) -> Option<i64> {
    let clock = store.clock().await.unwrap();
    polling(store).await.merchants_told_until(clock)
}

#[tokio::test]
async fn a_merchant_wakes_when_there_is_news() {
    let hub = Arc::new(Hub::new(1, Metrics::new()));
    let mut merchant = hub.merchants.watch(hub.place().unwrap());
    hub.place().err().unwrap();
    hub.merchants.tell(pulse(4, 1));
    assert_eq!(merchant.after(Pulse::default()).await, Some(pulse(4, 1)));
    // What another instance saw earlier is none.
    for old in [pulse(4, 1), pulse(3, 0)] {
        hub.merchants.tell(old);
    }
    hub.merchants.tell(pulse(4, 2));
    assert_eq!(merchant.after(pulse(4, 1)).await, Some(pulse(4, 2)));
    hub.close();
    assert_eq!(merchant.after(pulse(4, 2)).await, None);
    drop(merchant);
    hub.place().err().unwrap();
}

#[tokio::test]
async fn a_new_payment_is_told_once_and_by_the_holder_of_the_round() {
    let store = store().await;
    store.watch_all(MINUTE).await.unwrap();
    let since = told_until(&store).await.unwrap();
    for id in ["a", "b"] {
        add(&store, id, Duration::ZERO).await;
    }
    let overtaken = take(&store).await.unwrap();
    execute(&store, "UPDATE polling SET lease_until = 0, due_at = 0").await;
    let round = take(&store).await.unwrap();
    let late = store.announce(&overtaken, since).await;
    assert!(matches!(late, Err(WriteError::Overtaken)));
    assert_eq!(told(&store).await, Vec::<String>::new());

    store.announce(&round, since).await.unwrap();
    assert!(told_until(&store).await.unwrap() >= since);
    let both = ["event: created id: 1", "event: created id: 2"];
    assert_eq!(told(&store).await, both);
    store.announce(&round, since).await.unwrap();
    assert_eq!(told(&store).await, both);
    add(&store, "c", Duration::ZERO).await;
    store.announce(&round, since).await.unwrap();
    assert_eq!(told(&store).await.len(), 3);
    assert_eq!(polling(&store).await.pulse(), pulse(3, 0));
}

#[tokio::test]
async fn what_was_written_while_nobody_watched_is_in_the_list() {
    let store = store().await;
    assert_eq!(told_until(&store).await, None);
    add(&store, "old", Duration::ZERO).await;
    // As if it had been an hour ago.
    execute(
        &store,
        "UPDATE payments SET kept_until = kept_until - 3600000",
    )
    .await;
    store.watch_all(MINUTE).await.unwrap();
    add(&store, "new", Duration::ZERO).await;
    let since = told_until(&store).await.unwrap();
    // Another who comes, or the same one some time later, begins nothing anew.
    store.watch_all(2 * MINUTE).await.unwrap();
    assert_eq!(told_until(&store).await, Some(since));
    let round = take(&store).await.unwrap();
    store.announce(&round, since).await.unwrap();
    assert_eq!(told(&store).await.len(), 1);

    // When all are gone, one who comes begins anew.
    execute(
        &store,
        "UPDATE polling SET merchant_until = 1, told_until = 1",
    )
    .await;
    assert_eq!(told_until(&store).await, None);
    store.watch_all(MINUTE).await.unwrap();
    assert!(told_until(&store).await.unwrap() >= since);
}

#[tokio::test]
async fn the_newest_are_told_where_there_are_too_many() {
    let store = store().await;
    let round = take(&store).await.unwrap();
    let since = store.clock().await.unwrap().now;
    for number in 0..510 {
        add(&store, &number.to_string(), Duration::ZERO).await;
    }
    // The oldest of them, whatever the clock showed meanwhile.
    execute(
        &store,
        "UPDATE payments SET kept_until = kept_until - 1000, record = 'old'
        WHERE CAST(transaction_id AS BIGINT) < 10",
    )
    .await;
    store.announce(&round, since).await.unwrap();
    let events = store.events(0).await.unwrap();
    assert_eq!(events.len(), 500);
    let is_old = |frame: &[u8]| frame.ends_with(b"data: old\n\n");
    assert!(!events.iter().any(|event| is_old(&event.frame)));
}
