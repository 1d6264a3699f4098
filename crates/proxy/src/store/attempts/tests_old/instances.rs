//! Tests of instances that share a database, and of opening it.

use super::*;
use crate::store::outbox::Outbox;

on_each_database! {
    columns_of_a_newer_version_are_ignored
    all_instances_share_a_secret
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

async fn all_instances_share_a_secret(database: config::Database) {
    let (stores, _directory) = two(&database, Duration::from_mins(1)).await;
    let [one, other] = &stores;
    let (first, second) = tokio::join!(one.secret("a"), other.secret("a"));
    let secret = first.unwrap();
    assert_eq!(secret, second.unwrap());
    assert_eq!(secret.len(), 64);
    assert_ne!(secret, one.secret("b").await.unwrap());
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

#[tokio::test]
async fn instances_that_start_together_wait_for_each_other() {
    let directory = TempDir::new().unwrap();
    for database in [in_file(&directory), postgres()] {
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
    let store = store(&in_file(&directory)).await;
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
