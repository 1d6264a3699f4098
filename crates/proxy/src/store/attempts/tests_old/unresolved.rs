//! Tests what the merchant sees of attempts whose outcome is unknown.

use super::*;

on_each_database! {
    unresolved_orders_are_kept
    an_unreadable_attempt_does_not_hide_others
    all_unresolved_attempts_are_counted
}

async fn unresolved_orders_are_kept(database: config::Database) {
    let store = store(&database).await;
    let now = store.clock().await.unwrap().now;
    for attempt in [keyed("key", "I"), signed("I", "btc")] {
        let lease = leased(begin(&store, &attempt).await);
        store.release(&lease, &super::lost()).await.unwrap();
    }
    let cancelling = leased(begin(&store, &signed("J", "btc")).await);
    let outcome = Outcome::Stage(Stage::Cancelling(created("t")));
    store.release(&cancelling, &outcome).await.unwrap();
    let contradictory = leased(begin(&store, &signed("K", "btc")).await);
    let outcome = Outcome::Stage(Stage::Contradictory(created("u").record));
    store.release(&contradictory, &outcome).await.unwrap();
    answer_with(&store, &signed("L", "btc"), "v").await;
    // The one without an order, and the one whose payment is known.
    assert_eq!(store.prune_batch(now + 2 * MONTH, 10).await.unwrap(), 2);
    assert_eq!(store.unresolved().await.unwrap().0.len(), 3);
    assert_eq!(store.prune_batch(now + 364 * DAY, 10).await.unwrap(), 0);
    assert_eq!(store.prune_batch(now + 366 * DAY, 10).await.unwrap(), 3);
    assert!(store.unresolved().await.unwrap().0.is_empty());
}

async fn an_unreadable_attempt_does_not_hide_others(database: config::Database) {
    let store = store(&database).await;
    for invoice in ["1", "2", "3"] {
        let lease = leased(begin(&store, &signed(invoice, "btc")).await);
        store.release(&lease, &lost()).await.unwrap();
    }
    let damage = "UPDATE attempts SET request = '{' WHERE request LIKE '%\"invoiceNumber\":\"2\"%'";
    store.database.execute(damage, None).await;
    let (orders, more) = store.unresolved().await.unwrap();
    let mut invoices: Vec<_> = orders.iter().map(|order| &*order.invoice_number).collect();
    invoices.sort_unstable();
    assert_eq!((invoices, more), (vec!["1", "3"], false));
    let counts = store.count_unresolved().await.unwrap();
    assert_eq!(counts, [(Reason::CreateUnanswered, 3)]);
}

async fn all_unresolved_attempts_are_counted(database: config::Database) {
    let store = store(&database).await;
    for number in 0..105 {
        let lease = leased(begin(&store, &signed(&number.to_string(), "btc")).await);
        store.release(&lease, &lost()).await.unwrap();
    }
    // This one is still being created.
    leased(begin(&store, &signed("leased", "btc")).await);
    let cancelled = signed("cancelled", "btc");
    answer_with(&store, &cancelled, "a").await;
    let cancelling = "UPDATE attempts SET stage = 'cancelling' WHERE transaction_id = 'a'";
    store.database.execute(cancelling, None).await;
    let mut counts = store.count_unresolved().await.unwrap();
    counts.sort_unstable_by_key(|(_, count)| *count);
    let expected = [
        (Reason::CancelUnanswered, 1),
        (Reason::CreateUnanswered, 105),
    ];
    assert_eq!(counts, expected);
    assert!(store.unresolved().await.unwrap().1);
}
