//! Which instance polls, when, and how changes are numbered.

use sqlx::AssertSqlSafe;

use super::*;
use crate::store::lease;

#[tokio::test]
async fn a_cycle_ends_after_its_time_however_the_clock_jumps() {
    for jump in [-3_600_000, 3_600_000] {
        let store = store().await;
        let mut cycle = take(&store).await.unwrap();
        // As if the clock had been another one when the cycle began.
        let jump = format!(
            "UPDATE polling SET lease_until = lease_until + {jump}, begun_at = begun_at + {jump},
                due_at = begun_at + {jump}"
        );
        store.database.execute(AssertSqlSafe(jump)).await;
        assert!(take(&store).await.is_none());
        testing::pass(lease::length(CALL)).await;
        assert!(take(&store).await.is_some());
        let late = store.extend_cycle(&mut cycle).await;
        assert!(matches!(late, Err(database::Error::LeaseLost)));
    }
}

#[tokio::test]
async fn another_instance_continues_when_one_dies() {
    let store = store().await;
    add(&store, "a", SOON).await;
    tokio::time::sleep(SOON).await;
    let mut expired = take(&store).await.unwrap();
    assert!(take(&store).await.is_none());
    testing::pass(lease::length(CALL)).await;
    let mut current = take(&store).await.unwrap();

    // The first instance was only slow. What it has read before is older than what the second one stores.
    tokio::time::sleep(CALL / 2).await;
    let held = store.extend_cycle(&mut expired).await;
    assert!(matches!(held, Err(database::Error::LeaseLost)));
    store.extend_cycle(&mut current).await.unwrap();
    for record in [ONE, TWO] {
        let changes = vec![change("a", record)];
        store.store_changes(changes, 0).await.unwrap();
        let latest = store.latest_change("a").await.unwrap().unwrap();
        assert_eq!(latest.record, ONE);
    }
}

#[tokio::test]
async fn a_new_payment_is_polled_for_a_little_later() {
    let store = store().await;
    let hour = Duration::from_hours(1);
    assert!(due_in(&store).await.is_zero());
    add(&store, "a", hour).await;
    let due = due_in(&store).await;
    assert!(due > Duration::from_mins(59));
    // A second payment does not postpone the cycle further.
    add(&store, "b", 2 * hour).await;
    assert!(due_in(&store).await <= due);
}

#[tokio::test]
async fn a_request_during_a_cycle_starts_another() {
    let store = store().await;
    let cycle = take(&store).await.unwrap();
    store.request_cycle(SOON).await.unwrap();
    end(&store, &cycle, 0).await;
    tokio::time::sleep(SOON).await;
    let cycle = take(&store).await.expect("another cycle");
    end(&store, &cycle, 0).await;
    assert!(due_in(&store).await > SOON);
    store.request_cycle(SOON).await.unwrap();
    assert!(due_in(&store).await <= SOON);

    // But not while the service fails.
    tokio::time::sleep(SOON).await;
    let cycle = take(&store).await.unwrap();
    store.request_cycle(SOON).await.unwrap();
    end(&store, &cycle, 1).await;
    store.request_cycle(SOON).await.unwrap();
    assert!(due_in(&store).await > Duration::from_mins(59));
}
