//! Tests that concurrent requests exclude each other.

use super::*;

on_each_database! {
    one_of_many_requests_gets_the_lease
    one_of_many_requests_takes_an_expired_lease
    a_lost_lease_cannot_write
    a_lease_in_use_is_renewed
    a_missing_payment_counts_only_after_the_settle_time
    an_order_is_not_blocked_after_the_clock_was_set_back
    no_time_tells_what_came_first_after_the_clock_was_set_back
}

async fn one_of_many_requests_gets_the_lease(database: config::Database) {
    let (stores, _directory) = two(&database, Duration::from_mins(1)).await;
    assert_eq!(crowd(stores, |_| signed("I", "btc")).await, (1, 11));
    let (stores, _directory) = two(&database, Duration::from_mins(1)).await;
    assert_eq!(crowd(stores, |_| keyed("key", "I")).await, (1, 11));
    // Also if they want different tokens.
    let (stores, _directory) = two(&database, Duration::from_mins(1)).await;
    let tokens = |number| signed("J", ["btc", "trx", "bnb"][number % 3]);
    let (leased, busy) = crowd(stores, tokens).await;
    assert!(leased == 1 && busy >= 3, "{leased} {busy}");
}

async fn one_of_many_requests_takes_an_expired_lease(database: config::Database) {
    let (stores, _directory) = two(&database, Duration::from_mins(1)).await;
    drop(leased(begin(&stores[0], &signed("I", "btc")).await));
    assert_eq!(
        kind(&begin(&stores[1], &signed("I", "btc")).await),
        "in progress"
    );
    let expired = "UPDATE attempts SET lease_until = lease_until - $1";
    let database = &stores[0].database;
    database.execute(expired, Some(2 * MINUTE)).await;
    assert_eq!(crowd(stores, |_| signed("I", "btc")).await, (1, 11));
}

async fn a_lost_lease_cannot_write(database: config::Database) {
    let store = with_leases_of(Duration::from_millis(100), &database).await;
    let mut slow = leased(begin(&store, &signed("I", "btc")).await);
    tokio::time::sleep(Duration::from_millis(150)).await;
    let mut quick = leased(begin(&store, &signed("I", "btc")).await);
    assert!(quick.in_doubt && !slow.in_doubt);
    let lease_lost = |written| assert!(matches!(written, Err(WriteError::LeaseLost)));
    lease_lost(store.renew(&mut slow).await);
    lease_lost(store.record_call(&mut slow).await);
    lease_lost(store.release(&slow, &answered("s")).await);
    lease_lost(store.release(&slow, &lost()).await);
    store.record_call(&mut quick).await.unwrap();
    store.release(&quick, &answered("q")).await.unwrap();
    lease_lost(store.release(&slow, &answered("s")).await);
    assert_eq!(answer(begin(&store, &signed("I", "btc")).await), "q");
}

async fn a_lease_in_use_is_renewed(database: config::Database) {
    let store = with_leases_of(Duration::from_millis(1200), &database).await;
    let mut lease = leased(begin(&store, &signed("I", "btc")).await);
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_millis(600)).await;
        store.renew(&mut lease).await.unwrap();
        assert_eq!(
            kind(&begin(&store, &signed("I", "btc")).await),
            "in progress"
        );
    }
    // An expired lease still works if no other request has acquired it.
    tokio::time::sleep(Duration::from_millis(1250)).await;
    store.release(&lease, &answered("t")).await.unwrap();
}

async fn a_missing_payment_counts_only_after_the_settle_time(database: config::Database) {
    let store = store(&database).await;
    let until_settled = |lease: &Lease| {
        let wait = lease
            .settles_at()
            .saturating_duration_since(std::time::Instant::now());
        wait.as_secs_f32().round()
    };
    let mut lease = leased(begin(&store, &signed("I", "btc")).await);
    // The call timeout of 30 seconds plus 5 seconds to settle.
    assert!((until_settled(&lease) - 35.0).abs() < 10.0);
    store.record_call(&mut lease).await.unwrap();
    store.release(&lease, &lost()).await.unwrap();
    let mut lease = leased(begin(&store, &signed("I", "btc")).await);
    assert!((until_settled(&lease) - 5.0).abs() < 10.0);
    // Another call starts the wait again.
    store.record_call(&mut lease).await.unwrap();
    assert!((until_settled(&lease) - 35.0).abs() < 10.0);
}

/// Shifts the times of all attempts, as if they had been written before the database's clock was set
/// back by an hour.
async fn set_clock_back(store: &AttemptStore) {
    let shift = "UPDATE attempts SET lease_until = lease_until + $1, called_at = called_at + $1,
        settles_at = settles_at + $1, begun_at = begun_at + $1, written_at = written_at + $1";
    store.database.execute(shift, Some(60 * MINUTE)).await;
}

async fn an_order_is_not_blocked_after_the_clock_was_set_back(database: config::Database) {
    let store = store(&database).await;
    let slow = leased(begin(&store, &signed("I", "btc")).await);
    set_clock_back(&store).await;
    let mut lease = leased(begin(&store, &signed("I", "btc")).await);
    // The service may have executed the call just before.
    assert!(lease.in_doubt);
    let settles_at = lease.settles_at();
    let wait = settles_at.saturating_duration_since(std::time::Instant::now());
    assert!((wait.as_secs_f32() - 35.0).abs() < 10.0, "{wait:?}");
    // A renewal does not start the wait again.
    store.advance(&mut lease, Stage::Requested).await.unwrap();
    assert_eq!(lease.settles_at(), settles_at);
    let lost = store.release(&slow, &answered("s")).await;
    assert!(matches!(lost, Err(WriteError::LeaseLost)));
    store.release(&lease, &answered("t")).await.unwrap();
    assert_eq!(answer(begin(&store, &signed("I", "btc")).await), "t");
}

/// Otherwise a search would stop at a payment that was created later, and miss the one it looks for.
async fn no_time_tells_what_came_first_after_the_clock_was_set_back(database: config::Database) {
    let store = store(&database).await;
    drop(leased(begin(&store, &signed("I", "btc")).await));
    set_clock_back(&store).await;
    answer_with(&store, &signed("J", "btc"), "later").await;
    let lease = leased(begin(&store, &signed("I", "btc")).await);
    let open = store.open_payments(10, &lease.attempt).await.unwrap();
    assert!(open.is_empty(), "{open:?}");
    assert!(!store.is_newer("later", &lease.attempt).await.unwrap());
}

/// Counts how many of 12 concurrent requests got the lease, and how many have to wait.
async fn crowd(stores: [AttemptStore; 2], attempt: fn(usize) -> Arc<Attempt>) -> (usize, usize) {
    let stores = stores.map(std::sync::Arc::new);
    let mut crowd = JoinSet::new();
    for number in 0..12 {
        let store = std::sync::Arc::clone(&stores[number % 2]);
        crowd.spawn(async move { begin(&store, &attempt(number)).await });
    }
    let begun = crowd.join_all().await;
    let count = |name| begun.iter().filter(|begun| kind(begun) == name).count();
    (count("leased"), count("in progress"))
}
