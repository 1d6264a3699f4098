//! Tests how long attempts and payments are kept.

use super::*;
use crate::store::outbox::Outbox;
use crate::store::payments::Ending;

on_each_database! {
    a_result_is_kept_as_long_as_its_payment
    a_payment_is_kept_as_long_as_its_attempt
    refused_attempts_leave_nothing
    attempts_of_valid_orders_are_kept
    leased_attempts_are_not_pruned
}

async fn a_result_is_kept_as_long_as_its_payment(database: config::Database) {
    let store = store(&database).await;
    answer_with(&store, &keyed("key", "I"), "t").await;
    let now = store.clock().await.unwrap().now;
    assert_eq!(
        store.prune_batch(now + MONTH - MINUTE, 10).await.unwrap(),
        0
    );
    assert_eq!(answer(begin(&store, &keyed("key", "I")).await), "t");
    assert_eq!(
        store.prune_batch(now + MONTH + MINUTE, 10).await.unwrap(),
        1
    );
    // Its key can be used again.
    assert!(!leased(begin(&store, &keyed("key", "J")).await).in_doubt);
}

/// Otherwise a payment that has ended would be stored again as a new one.
async fn a_payment_is_kept_as_long_as_its_attempt(database: config::Database) {
    let store = store(&database).await;
    answer_with(&store, &signed("I", "btc"), "t").await;
    answer_with(&store, &keyed("key", "J"), "u").await;
    let age = "UPDATE payments SET kept_until = 0, ending = 'closed'";
    store.database.execute(age, None).await;
    let delete = "DELETE FROM attempts WHERE transaction_id = 'u'";
    store.database.execute(delete, None).await;
    let payments = payments::PaymentStore {
        database: store.database(),
        outbox: Outbox::Off,
    };
    payments.prune().await.unwrap();
    assert!(payments.latest("u").await.unwrap().is_none());
    let BeginOutcome::Created(_, ending) = begin(&store, &signed("I", "btc")).await else {
        panic!("the attempt has a payment");
    };
    assert_eq!(ending, Some(Ending::Closed));
}

async fn refused_attempts_leave_nothing(database: config::Database) {
    let store = store(&database).await;
    let now = store.clock().await.unwrap().now;
    for invoice in ["I", "J", "K"] {
        let lease = leased(begin(&store, &signed(invoice, "btc")).await);
        store.release(&lease, &refused()).await.unwrap();
    }
    assert_eq!(store.prune_batch(now + DAY - MINUTE, 2).await.unwrap(), 0);
    for pruned in [2, 1, 0] {
        let late = now + DAY + MINUTE;
        assert_eq!(store.prune_batch(late, 2).await.unwrap(), pruned);
    }
    let count = query!("SELECT COUNT(*) FROM past_attempts");
    let count = store
        .database
        .read(async move |session| session.number(count).await);
    assert_eq!(count.await.unwrap(), 0);
}

async fn attempts_of_valid_orders_are_kept(database: config::Database) {
    let store = store(&database).await;
    let now = store.clock().await.unwrap().now;
    let payable_until = |day| attempt_for(None, "I", "btc", Some(now + day * DAY));
    answer_with(&store, &payable_until(33), "t").await;
    assert_eq!(store.prune_batch(now + 32 * DAY, 10).await.unwrap(), 0);
    // The order was signed again and expires later; an older copy does not shorten the retention.
    for day in [39, 33] {
        assert_eq!(answer(begin(&store, &payable_until(day)).await), "t");
    }
    assert_eq!(store.prune_batch(now + 38 * DAY, 10).await.unwrap(), 0);
    // Also if the attempt is found by a key.
    for day in [39, 49] {
        let kind = attempt_for(Some("key"), "I", "btc", Some(now + day * DAY));
        assert_eq!(answer(begin(&store, &kind).await), "t");
    }
    assert_eq!(store.prune_batch(now + 48 * DAY, 10).await.unwrap(), 0);
    assert_eq!(store.prune_batch(now + 50 * DAY, 10).await.unwrap(), 1);
}

async fn leased_attempts_are_not_pruned(database: config::Database) {
    let store = store(&database).await;
    for number in 0..5 {
        let name = format!("{number}");
        answer_with(&store, &keyed(&name, "I"), &name).await;
    }
    let now = store.clock().await.unwrap().now;
    let late = now + 2 * MONTH;
    let hold = "UPDATE attempts SET lease_until = $1 WHERE transaction_id = '0'";
    store.database.execute(hold, Some(late + 1)).await;
    for pruned in [3, 1, 0] {
        assert_eq!(store.prune_batch(late, 3).await.unwrap(), pruned);
    }
    assert_eq!(store.prune().await.unwrap(), 0);
}
