//! Tests of merchants' events on a database in memory. The routes are tested over HTTP.

use super::*;

const MINUTE: Duration = Duration::from_mins(1);

/// The names and ids of all events.
async fn announced(store: &Store) -> Vec<String> {
    let events = store.events(0, None).await.unwrap().into_iter();
    let heads = events.map(|event| {
        let (kind, id, of) = (event.kind, event.change.id, event.transaction_id);
        format!("event: {kind} id: {id} of: {of}")
    });
    heads.collect()
}

async fn has_merchants(store: &Store) -> bool {
    let clock = store.clock().await.unwrap();
    polling(store).await.has_merchants(clock)
}

#[tokio::test]
async fn a_new_payment_is_announced_once_while_merchants_watch() {
    let store = store().await;
    assert!(!has_merchants(&store).await);
    add(&store, "old", Duration::ZERO).await;
    assert_eq!(announced(&store).await, [""; 0]);

    store.extend_merchant_interest(MINUTE).await.unwrap();
    assert!(has_merchants(&store).await);
    add(&store, "a", Duration::ZERO).await;
    let record = Record::parse(RECORD, "a payment record").unwrap();
    // The newest is the first of the list.
    let listed = ["c", "b", "a", "old"].map(|id| (id.to_owned(), record.clone()));
    store.add_listed(&listed).await.unwrap();
    let all = announced(&store).await;
    let of: Vec<_> = all.iter().map(|head| head.split("of: ").last()).collect();
    assert_eq!(of, [Some("a"), Some("b"), Some("c")], "{all:?}");
    assert!(
        all.iter().all(|head| head.starts_with("event: created")),
        "{all:?}"
    );
    assert!(all.is_sorted(), "{all:?}");

    // When all streams have ended.
    let ended = "UPDATE polling SET merchant_until = 1";
    store.database.execute(ended).await;
    assert!(!has_merchants(&store).await);
    add(&store, "later", Duration::ZERO).await;
    assert_eq!(announced(&store).await, all);
}

#[tokio::test]
async fn a_notification_of_the_service_is_told_once() {
    let store = store().await;
    let notify = async |body: &str| store.store_notification(body.as_bytes()).await.unwrap();
    for body in ["not JSON", "{}"] {
        notify(body).await;
    }
    assert_eq!(announced(&store).await, [""; 0]);
    for body in [r#"{"invoiceNumber":"I"}"#, r#"{"invoiceNumber":"I","x":1}"#] {
        notify(body).await;
        assert_eq!(announced(&store).await, ["event: ledger id: 1 of: "]);
    }
    // However many there are, only the last one is kept.
    for number in 2..10 {
        notify(&format!(r#"{{"invoiceNumber":"{number}"}}"#)).await;
        assert_eq!(announced(&store).await.len(), 1);
    }
}
