//! Tests what is remembered of attempts after they were pruned.

use super::*;
use crate::store::outbox::Outbox;

on_each_database! {
    pruned_attempts_are_still_counted
    a_pruned_order_gets_no_second_payment
    a_past_order_may_have_a_payment
    an_order_that_was_cancelled_before_pruning_can_be_paid
    a_pruned_order_is_free_once_its_payment_is_closed
}

async fn pruned_attempts_are_still_counted(database: config::Database) {
    let store = store(&database).await;
    let now = store.clock().await.unwrap().now;
    let begun = store.clock().await.unwrap();
    let first = leased(store.begin(&signed("I", "btc"), begun.now).await.unwrap());
    let ended = Outcome::Stage(Stage::Ended(None));
    store.release(&first, &ended).await.unwrap();
    answer_with(&store, &signed("I", "btc"), "t").await;
    answer_with(&store, &keyed("key", "I"), "alone").await;
    let count = async || {
        let ids = ["t", "alone", "unknown"].map(str::to_owned);
        let found = store.attempts_of(&ids).await.unwrap();
        assert_eq!(found.len(), 2);
        assert!(found["t"].first_at == begun.now);
        (found["t"].count, found["alone"].count)
    };
    assert_eq!(count().await, (2, 1));
    for pruned in [1, 1, 1, 0] {
        let late = now + 2 * MONTH;
        assert_eq!(store.prune_batch(late, 1).await.unwrap(), pruned);
        assert_eq!(count().await, (2, 1));
    }
    // They are forgotten after a year.
    store.prune_batch(now + 364 * DAY, 9).await.unwrap();
    assert_eq!(count().await, (2, 1));
    store.prune_batch(now + 366 * DAY, 9).await.unwrap();
    let found = store.attempts_of(&["t".to_owned()]).await.unwrap();
    assert!(found.is_empty());
}

async fn a_pruned_order_gets_no_second_payment(database: config::Database) {
    let store = store(&database).await;
    let now = store.clock().await.unwrap().now;
    answer_with(&store, &signed("I", "btc"), "t").await;
    answer_with(&store, &signed("J", "btc"), "u").await;
    assert_eq!(store.prune_batch(now + 2 * MONTH, 10).await.unwrap(), 2);
    // While the payment's record is stored, it is returned, but not replaced.
    assert_eq!(answer(begin(&store, &signed("I", "btc")).await), "t");
    assert_eq!(
        kind(&begin(&store, &signed("I", "trx")).await),
        "remembered"
    );
    store.database.execute("DELETE FROM payments", None).await;
    for order in ["I", "J"] {
        let begun = begin(&store, &signed(order, "btc")).await;
        assert_eq!(kind(&begun), "remembered", "{order}");
    }
    // Without data of the buyer, and not for ever.
    store.prune_batch(now + 367 * DAY, 10).await.unwrap();
    assert!(!leased(begin(&store, &signed("I", "btc")).await).in_doubt);
}

/// Only digests of invoice numbers are remembered.
async fn a_past_order_may_have_a_payment(database: config::Database) {
    let store = store(&database).await;
    let now = store.clock().await.unwrap().now;
    answer_with(&store, &signed("I", "btc"), "t").await;
    let is_possible = async |id, invoice| store.may_be_of_past_order(id, invoice).await.unwrap();
    assert_eq!(store.prune_batch(now + MONTH + DAY, 10).await.unwrap(), 1);
    assert!(is_possible("t", "J").await && is_possible("other", "I").await);
    assert!(!is_possible("other", "i").await);
    let lost = leased(begin(&store, &keyed("key", "J")).await);
    store.release(&lost, &super::lost()).await.unwrap();
    assert_eq!(store.prune_batch(now + 2 * MONTH, 10).await.unwrap(), 1);
    assert!(is_possible("other", "i").await);
}

async fn an_order_that_was_cancelled_before_pruning_can_be_paid(database: config::Database) {
    let store = store(&database).await;
    let now = store.clock().await.unwrap().now;
    let lease = leased(begin(&store, &signed("I", "btc")).await);
    let ended = Outcome::Stage(Stage::Ended(None));
    store.release(&lease, &ended).await.unwrap();
    answer_with(&store, &signed("J", "btc"), "t").await;
    assert_eq!(store.prune_batch(now + 2 * MONTH, 10).await.unwrap(), 2);
    let closed = "UPDATE payments SET ending = 'closed'";
    store.database.execute(closed, None).await;
    for order in ["I", "J"] {
        assert!(!leased(begin(&store, &signed(order, "btc")).await).in_doubt);
    }
}

/// Also if its status was mapped to closed only later, and after its record was deleted.
async fn a_pruned_order_is_free_once_its_payment_is_closed(database: config::Database) {
    let store = store(&database).await;
    let now = store.clock().await.unwrap().now;
    for (order, id) in [("I", "t"), ("J", "u"), ("K", "v")] {
        answer_with(&store, &signed(order, "btc"), id).await;
    }
    assert_eq!(store.prune_batch(now + 2 * MONTH, 10).await.unwrap(), 3);
    assert_eq!(answer(begin(&store, &signed("I", "btc")).await), "t");
    assert!(store.end_past("t").await.unwrap());
    leased(begin(&store, &signed("I", "btc")).await);
    let closed = "UPDATE payments SET ending = 'closed' WHERE transaction_id = 'u'";
    store.database.execute(closed, None).await;
    let old = "UPDATE payments SET kept_until = 0";
    store.database.execute(old, None).await;
    let payments = payments::PaymentStore {
        database: store.database(),
        outbox: Outbox::Off,
    };
    payments.prune().await.unwrap();
    leased(begin(&store, &signed("J", "btc")).await);
    let begun = begin(&store, &signed("K", "btc")).await;
    assert_eq!(kind(&begun), "remembered");
}
