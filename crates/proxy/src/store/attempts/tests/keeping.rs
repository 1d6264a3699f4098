//! Tests retention and shared secrets.

use super::*;
use crate::store::outbox::Outbox;
use crate::store::payments::Ending;

on_each_database! {
    a_result_is_kept_as_long_as_its_payment
    a_payment_is_kept_as_long_as_its_attempt
    unresolved_orders_are_kept
    refused_attempts_leave_nothing
    attempts_of_valid_orders_are_kept
    leased_attempts_are_not_pruned
    pruned_attempts_are_still_counted
    a_pruned_order_gets_no_second_payment
    an_unreadable_attempt_does_not_hide_others
    all_unresolved_attempts_are_counted
    a_past_order_may_have_a_payment
    an_order_that_was_cancelled_before_pruning_can_be_paid
    a_pruned_order_is_free_once_its_payment_is_closed
    columns_of_a_newer_version_are_ignored
    all_instances_share_a_secret
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
        .read(move |mut session| Box::pin(async move { session.number(count).await }));
    let count: database::Result<i64> = count.await;
    assert_eq!(count.unwrap(), 0);
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

/// An instance of the older version keeps running while a newer one migrates the tables. Its
/// prepared statements fail if their columns change.
async fn columns_of_a_newer_version_are_ignored(database: config::Database) {
    let (stores, _directory) = two(&database, Duration::from_mins(1)).await;
    let [older, newer] = &stores;
    let payments = payments::PaymentStore {
        database: older.database(),
        outbox: Outbox::Off,
    };
    for round in ["1", "2"] {
        let both = attempt_for(Some(round), round, "btc", Some(0));
        answer_with(older, &both, round).await;
        assert_eq!(answer(begin(older, &both).await), round);
        assert_eq!(answer(begin(older, &signed(round, "btc")).await), round);
        assert!(older.has_payment(round).await.unwrap());
        assert_eq!(
            older.attempts_of(&[round.to_owned()]).await.unwrap().len(),
            1
        );
        assert!(older.unresolved().await.unwrap().0.is_empty());
        payments.poll_state().await.unwrap();
        assert!(payments.latest(round).await.unwrap().is_some());
        assert_eq!(
            payments
                .known(&[round], payments::Interest::default())
                .await
                .unwrap()
                .len(),
            1
        );
        older.prune_batch(0, 1).await.unwrap();
        older.database.check_write().await.unwrap();
        if round == "1" {
            for add in [
                "ALTER TABLE attempts ADD COLUMN newer TEXT",
                "ALTER TABLE attempt_keys ADD COLUMN newer TEXT",
                "ALTER TABLE past_attempts ADD COLUMN newer TEXT",
                "ALTER TABLE payments ADD COLUMN newer TEXT",
                "ALTER TABLE payment_events ADD COLUMN newer TEXT",
                "ALTER TABLE polling ADD COLUMN newer TEXT",
                "ALTER TABLE notifications ADD COLUMN newer TEXT",
            ] {
                newer.database.execute(add, None).await;
            }
        }
    }
}

/// The machine's clock was set back while the program was not running.
#[tokio::test]
async fn a_lease_expires_after_its_term_although_the_clock_was_set_back() {
    let directory = TempDir::new().unwrap();
    let file = config::Database::File(directory.path().join("tender.db"));
    let term = Duration::from_millis(1500);
    let killed = with_leases_of(term, &file).await;
    drop(leased(begin(&killed, &signed("I", "btc")).await));
    // As if everything had been written half an hour later.
    let later = "UPDATE attempts SET lease_until = lease_until + $1, called_at = called_at + $1,
        settles_at = settles_at + $1, begun_at = begun_at + $1";
    killed.database.execute(later, Some(30 * MINUTE)).await;
    drop(killed);
    let store = with_leases_of(term, &file).await;
    let begun = begin(&store, &signed("I", "btc")).await;
    assert_eq!(kind(&begun), "in progress");
    tokio::time::sleep(term).await;
    let lease = leased(begin(&store, &signed("I", "btc")).await);
    assert!(lease.in_doubt);
    assert!(lease.settles_at() < std::time::Instant::now() + Duration::from_mins(1));
}

async fn all_instances_share_a_secret(database: config::Database) {
    let (stores, _directory) = two(&database, Duration::from_mins(1)).await;
    let [one, other] = &stores;
    let (first, second) = tokio::join!(one.secret("a"), other.secret("a"));
    let secret = first.unwrap();
    assert_eq!(secret, second.unwrap());
    assert_eq!(secret.len(), 64);
    assert_ne!(secret, one.secret("b").await.unwrap());
}

#[tokio::test]
async fn instances_that_start_together_wait_for_each_other() {
    let directory = TempDir::new().unwrap();
    let file = config::Database::File(directory.path().join("tender.db"));
    for database in [file, postgres_database()] {
        let mut starting = JoinSet::new();
        for _ in 0..6 {
            let database = database.clone();
            starting.spawn(async move { store(&database).await });
        }
        let stores = starting.join_all().await;
        answer_with(&stores[0], &keyed("key", "I"), "t").await;
        for store in &stores {
            assert_eq!(answer(begin(store, &keyed("key", "I")).await), "t");
        }
    }
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_can_read_the_file() {
    use std::os::unix::fs::PermissionsExt;

    let directory = TempDir::new().unwrap();
    let path = directory.path().join("tender.db");
    let store = store(&config::Database::File(path)).await;
    answer_with(&store, &keyed("key", "I"), "t").await;
    let files: Vec<_> = std::fs::read_dir(directory.path())
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert!(files.len() > 1, "{files:?}");
    for file in files {
        assert_eq!(
            file.metadata().unwrap().permissions().mode() & 0o777,
            0o600,
            "{file:?}"
        );
    }
}
