//! What is deleted after a time, and what a client then gets.

use super::*;
use crate::statuses::Viewer;
use crate::store::database::query;

#[tokio::test]
async fn a_late_reconnection_gets_the_latest_record() {
    let store = store().await;
    let shared = shared(store.clone());
    let tracking = Tracking::start(&shared).await.unwrap();
    add(&store, "a", SOON).await;
    for record in [ONE, TWO] {
        let changes = vec![change("a", record)];
        store.store_changes(changes, 1).await.unwrap();
    }
    store.database.execute("DELETE FROM payment_events").await;
    let events = tracking
        .watch("a", Some(1), Viewer::Merchant)
        .await
        .unwrap();
    shared.stop.cancel();
    let events: Vec<_> = events.collect().await;
    let expected = sse::Event::default().event("status").id("2").data(TWO);
    assert_eq!(format!("{events:?}"), format!("{:?}", [expected]));
}

#[tokio::test]
async fn old_rows_are_pruned() {
    let store = store().await;
    add(&store, "old", SOON).await;
    add(&store, "new", SOON).await;
    let changes = vec![change("old", ONE), change("new", TWO)];
    store.store_changes(changes, 1).await.unwrap();
    for statement in [
        "UPDATE payments SET kept_until = 0 WHERE transaction_id = 'old'",
        "UPDATE payment_events SET written_at = 0 WHERE id = 1",
    ] {
        store.database.execute(statement).await;
    }
    let notify = async || {
        let notified = store.store_notification(br#"{"invoiceNumber":"I"}"#);
        notified.await.unwrap();
        let count = query!("SELECT times FROM notifications");
        store.database.number(count).await.unwrap()
    };
    assert_eq!(notify().await, 1);
    store.prune().await.unwrap();
    assert!(store.latest_change("old").await.unwrap().is_none());
    assert!(store.latest_change("new").await.unwrap().is_some());
    let kinds = store.events(0, None).await.unwrap().into_iter();
    let kinds: Vec<_> = kinds.map(|event| event.kind).collect();
    assert_eq!(kinds, ["status", "ledger"]);
    assert_eq!(notify().await, 2);
    let old = "UPDATE notifications SET first_at = 1";
    store.database.execute(old).await;
    store.prune().await.unwrap();
    assert_eq!(notify().await, 1);
}

#[tokio::test]
async fn pruning_continues_while_batches_are_full() {
    let store = store().await;
    let old: Vec<_> = (0..=BATCH).map(|number| number.to_string()).collect();
    for id in &old {
        add(&store, id, SOON).await;
    }
    add(&store, "new", SOON).await;
    store
        .database
        .execute("UPDATE payments SET kept_until = 0 WHERE transaction_id <> 'new'")
        .await;
    store.prune().await.unwrap();
    for id in &old {
        assert!(store.latest_change(id).await.unwrap().is_none(), "{id}");
    }
    assert!(store.latest_change("new").await.unwrap().is_some());
}
