//! Which instance polls, when, and how changes are numbered.

use super::*;

#[tokio::test]
async fn a_cycle_belongs_to_one_instance() {
    let store = store().await;
    let (clock, seen) = (store.clock().await.unwrap(), polling(&store).await);
    let term = Term::for_calls(Duration::from_mins(1));
    let cycle = store
        .begin_cycle(&seen, clock, term, Interest::default())
        .await
        .unwrap()
        .unwrap();
    // Neither an instance with the same state nor a later one can begin a cycle.
    assert!(
        store
            .begin_cycle(&seen, clock, term, Interest::default())
            .await
            .unwrap()
            .is_none()
    );
    assert!(take(&store).await.is_none());
    assert!(due_in(&store).await > Duration::ZERO);
    end(&store, &cycle, 0).await;
    assert!(take(&store).await.is_none());
    assert!(due_in(&store).await > Duration::from_mins(59));
    assert_eq!(polling(&store).await.deep_page, 7);
}

#[tokio::test]
async fn a_cycle_begins_although_the_clock_was_set_back() {
    let store = store().await;
    let cycle = take(&store).await.unwrap();
    // As if the cycle had been written an hour later.
    let later = "UPDATE polling SET lease_until = lease_until + $1, begun_at = begun_at + $1,
        due_at = begun_at + $1";
    let hour = crate::clock::millis(Duration::from_hours(1));
    store.database.execute(later, Some(hour)).await;
    assert!(take(&store).await.is_some());
    let late = store.write_changes(&cycle, &[change("a", "{}")], 1).await;
    assert!(matches!(late, Err(WriteError::LeaseLost)));
}

#[tokio::test]
async fn another_instance_continues_when_one_dies() {
    let store = store().await;
    add(&store, "a", SOON).await;
    tokio::time::sleep(SOON).await;
    let expired = take(&store).await.unwrap();
    assert!(take(&store).await.is_none());
    tokio::time::sleep(LEASE).await;
    let mut current = take(&store).await.unwrap();

    // The first instance was only slow; its writes are rejected.
    let changes = [change("a", "{}")];
    let late = store.write_changes(&expired, &changes, 1).await;
    assert!(matches!(late, Err(WriteError::LeaseLost)));
    let mut expired = expired;
    tokio::time::sleep(LEASE / 2).await;
    let held = store.extend_lease(&mut expired).await;
    assert!(matches!(held, Err(WriteError::LeaseLost)));
    assert_eq!(store.latest("a").await.unwrap().unwrap().id, 0);
    assert!(store.events(0, None).await.unwrap().is_empty());

    store.extend_lease(&mut current).await.unwrap();
    store.write_changes(&current, &changes, 1).await.unwrap();
    assert_eq!(store.latest("a").await.unwrap().unwrap().record, "{}");
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
async fn event_ids_have_no_gaps() {
    let store = store().await;
    for id in ["a", "b"] {
        add(&store, id, SOON).await;
    }
    tokio::time::sleep(SOON).await;
    let cycle = take(&store).await.unwrap();
    store.write_changes(&cycle, &[], 1).await.unwrap();
    for changes in [
        vec![change("a", ONE), change("b", TWO)],
        vec![change("a", THREE)],
    ] {
        store.write_changes(&cycle, &changes, 1).await.unwrap();
    }
    let all = store.events(0, None).await.unwrap().into_iter();
    let all: Vec<_> = all
        .map(|event| (event.change.id, event.transaction_id, event.change.record))
        .collect();
    let expected = [(1, "a", ONE), (2, "b", TWO), (3, "a", THREE)];
    assert_eq!(
        all,
        expected.map(|(id, payment, record)| (id, payment.to_owned(), record.to_owned()))
    );
    assert_eq!(polling(&store).await.watermark().last_event, 3);
    assert_eq!(store.events(2, None).await.unwrap().len(), 1);
    assert_eq!(store.events(1, Some("a")).await.unwrap().len(), 1);
    assert_eq!(store.latest("b").await.unwrap().unwrap().id, 2);
    // A known payment is not changed.
    add(&store, "a", SOON).await;
    assert_eq!(store.latest("a").await.unwrap().unwrap().record, THREE);
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
