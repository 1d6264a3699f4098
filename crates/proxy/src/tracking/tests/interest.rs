//! Which payments are polled for.

use super::*;

#[tokio::test]
async fn the_list_is_polled_for_new_and_watched_payments() {
    let store = store().await;
    let minute = Duration::from_mins(1);
    let clock = store.clock().await.unwrap();
    assert_eq!(store.count_wanted(watched_at(clock.now)).await.unwrap(), 0);
    for number in 0..50 {
        add(&store, &format!("p{number}"), SOON).await;
    }
    assert_eq!(store.count_wanted(watched_at(clock.now)).await.unwrap(), 50);
    let later = clock.after(20 * minute);
    assert_eq!(store.count_wanted(watched_at(later)).await.unwrap(), 0);
    let watched: Vec<_> = (20..70)
        .map(|number| Arc::from(format!("p{number}")))
        .collect();
    store
        .extend_interest(&watched, clock.after(21 * minute))
        .await
        .unwrap();
    assert_eq!(store.count_wanted(watched_at(later)).await.unwrap(), 30);
    // The interest is never shortened.
    store.extend_interest(&watched, clock.now).await.unwrap();
    assert_eq!(store.count_wanted(watched_at(later)).await.unwrap(), 30);
    let known = store.known_payments(&["p1", "p20", "x"]).await.unwrap();
    assert_eq!(known.len(), 2);
    let wanted = ["p1", "p20"].map(|id| watched_at(later).includes(&known[id]));
    assert_eq!(wanted, [false, true]);
}

/// For notifications: payments that were not paid, also if no client watches them.
#[tokio::test]
async fn unpaid_payments_are_followed_for_a_limited_time() {
    let store = store().await;
    let hour = Duration::from_hours(1);
    for id in ["open", "closed", "pending", "paid", "watched"] {
        add(&store, id, SOON).await;
    }
    let clock = store.clock().await.unwrap();
    let end = "UPDATE payments SET ending = transaction_id
        WHERE transaction_id IN ('closed', 'pending', 'paid')";
    store.database.execute(end).await;
    let watched = [Arc::from("watched")];
    store
        .extend_interest(&watched, clock.after(3 * hour))
        .await
        .unwrap();
    let later = clock.after(2 * hour);
    let followed = |age: Duration| Interest {
        now: later,
        followed_since: Some(clock.after(2 * hour).saturating_sub(millis(age))),
    };
    for (interest, expected) in [
        (watched_at(later), ["watched"].as_slice()),
        (
            followed(3 * hour),
            &["closed", "open", "pending", "watched"],
        ),
        // It is too old.
        (followed(hour), &["watched"]),
    ] {
        let count = store.count_wanted(interest).await.unwrap();
        assert_eq!(count, u64::try_from(expected.len()).unwrap());
        let ids = ["closed", "open", "paid", "pending", "watched"];
        let known = store.known_payments(&ids).await.unwrap();
        let wanted = ids.into_iter().filter(|id| interest.includes(&known[*id]));
        assert_eq!(wanted.collect::<Vec<_>>(), expected);
    }
}

#[tokio::test]
async fn cycles_that_follow_unpaid_payments_have_a_pause() {
    let store = store().await;
    let state = polling(&store).await;
    let clock = store.clock().await.unwrap();
    let hour = Duration::from_hours(1);
    assert!(state.is_follow_due(clock, hour));
    let interest = Interest {
        now: clock.now,
        followed_since: Some(0),
    };
    let cycle = store.begin_cycle(&state, clock, interest).await;
    end(&store, &cycle.unwrap().unwrap(), 0).await;
    let state = polling(&store).await;
    assert!(!state.is_follow_due(clock, hour));
    assert!(state.is_follow_due(clock, Duration::ZERO));
    // A cycle for watched payments does not count.
    let clock = store.clock().await.unwrap();
    let due = "UPDATE polling SET due_at = 0, followed_at = 0";
    store.database.execute(due).await;
    let state = polling(&store).await;
    let cycle = store.begin_cycle(&state, clock, watched_at(clock.now));
    assert!(cycle.await.unwrap().is_some());
    assert!(polling(&store).await.is_follow_due(clock, hour));
    // The database's clock was set back.
    store
        .database
        .execute("UPDATE polling SET followed_at = 9000000000000")
        .await;
    assert!(polling(&store).await.is_follow_due(clock, hour));
}
