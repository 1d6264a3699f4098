//! Tests of poll cycles and of the stored payments, on a database in memory. The routes are tested
//! over HTTP.

use std::sync::Arc;
use std::time::Duration;

use axum::response::sse;
use futures_util::StreamExt as _;

use super::Tracking;
use crate::clock::{Millis, millis};
use crate::config::{self, Config};
use crate::metrics::Metrics;
use crate::service::Service;
use crate::store::database::Database;
use crate::store::lease::{Term, WriteError};
use crate::store::outbox::Outbox;
use crate::store::payments::{BATCH, Interest, PaymentStore, add_payment};
use crate::store::payments::{CycleEnd, ListedChange, PollCycle, PollState};

const LEASE: Duration = Duration::from_millis(400);
const TERM: Term = Term {
    call: LEASE,
    margin: Duration::ZERO,
};
/// The tests don't read its content.
const RECORD: &str = "{}";
const SOON: Duration = Duration::from_millis(20);

pub(super) async fn store() -> PaymentStore {
    let database = Database::open(&config::Database::Memory).await.unwrap();
    let outbox = Outbox::Off;
    PaymentStore { database, outbox }
}

pub(super) async fn execute(store: &PaymentStore, statement: &'static str) {
    store.database.execute(statement, None).await;
}

/// Adds a payment as if it had been created.
pub(super) async fn add(store: &PaymentStore, transaction_id: &str, interval: Duration) {
    let transaction_id = transaction_id.to_owned();
    let known = store.database.transaction(async move |session| {
        let clock = session.clock().await?;
        let outbox = Outbox::Off;
        add_payment(session, clock, &transaction_id, RECORD, interval, outbox).await
    });
    known.await.unwrap();
}

/// The payments that clients watch.
fn watched_at(now: Millis) -> Interest {
    Interest {
        now,
        open_since: None,
    }
}

fn config() -> Config {
    let nowhere = "http://127.0.0.1:9";
    Config::new(nowhere, nowhere).unwrap()
}

pub(super) async fn take(store: &PaymentStore) -> Option<PollCycle> {
    let (clock, polling) = (store.clock().await.unwrap(), polling(store).await);
    let interest = Interest::default();
    store
        .begin_cycle(&polling, clock, TERM, interest)
        .await
        .unwrap()
}

pub(super) async fn polling(store: &PaymentStore) -> PollState {
    store.poll_state().await.unwrap()
}

async fn due_in(store: &PaymentStore) -> Duration {
    polling(store)
        .await
        .due_in(store.clock().await.unwrap(), TERM)
}

async fn end(store: &PaymentStore, cycle: &PollCycle, failures: u32) {
    let end = CycleEnd {
        failures,
        deep_page: 7,
        pause: Duration::from_hours(1),
        min_interval: SOON,
    };
    store.end_cycle(cycle, &end).await.unwrap();
}

fn change(id: &str, record: &str) -> ListedChange {
    ListedChange {
        transaction_id: id.to_owned(),
        record: record.to_owned(),
        ending: None,
    }
}

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
    let late = store.write_changes(&cycle, &[change("a", "[]")]).await;
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
    let changes = [change("a", "[]")];
    let late = store.write_changes(&expired, &changes).await;
    assert!(matches!(late, Err(WriteError::LeaseLost)));
    let mut expired = expired;
    tokio::time::sleep(LEASE / 2).await;
    let held = store.extend_lease(&mut expired).await;
    assert!(matches!(held, Err(WriteError::LeaseLost)));
    assert_eq!(store.latest("a").await.unwrap().unwrap().id, 0);
    assert!(store.changes(0).await.unwrap().is_empty());

    store.extend_lease(&mut current).await.unwrap();
    store.write_changes(&current, &changes).await.unwrap();
    assert_eq!(store.latest("a").await.unwrap().unwrap().record, "[]");
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
    store.write_changes(&cycle, &[]).await.unwrap();
    for changes in [
        vec![change("a", "1"), change("b", "2")],
        vec![change("a", "3")],
    ] {
        store.write_changes(&cycle, &changes).await.unwrap();
    }
    let all = store.changes(0).await.unwrap().into_iter();
    let all: Vec<_> = all
        .map(|(id, change)| (change.id, id, change.record))
        .collect();
    let expected = [(1, "a", "1"), (2, "b", "2"), (3, "a", "3")];
    assert_eq!(
        all,
        expected.map(|(id, payment, record)| (id, payment.to_owned(), record.to_owned()))
    );
    assert_eq!(polling(&store).await.watermark().last_event, 3);
    assert_eq!(store.changes(2).await.unwrap().len(), 1);
    assert_eq!(store.changes_of("a", 1).await.unwrap().len(), 1);
    assert_eq!(store.latest("b").await.unwrap().unwrap().id, 2);
    // A known payment is not changed.
    add(&store, "a", SOON).await;
    assert_eq!(store.latest("a").await.unwrap().unwrap().record, "3");
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

#[tokio::test]
async fn the_list_is_polled_for_new_and_watched_payments() {
    let store = store().await;
    let minute = Duration::from_mins(1);
    let clock = store.clock().await.unwrap();
    assert_eq!(store.count(watched_at(clock.now)).await.unwrap(), 0);
    for number in 0..50 {
        add(&store, &format!("p{number}"), SOON).await;
    }
    assert_eq!(store.count(watched_at(clock.now)).await.unwrap(), 50);
    let later = clock.after(20 * minute);
    assert_eq!(store.count(watched_at(later)).await.unwrap(), 0);
    let watched: Vec<_> = (20..70)
        .map(|number| Arc::from(format!("p{number}")))
        .collect();
    store
        .extend_interest(&watched, clock.after(21 * minute))
        .await
        .unwrap();
    assert_eq!(store.count(watched_at(later)).await.unwrap(), 30);
    // The interest is never shortened.
    store.extend_interest(&watched, clock.now).await.unwrap();
    assert_eq!(store.count(watched_at(later)).await.unwrap(), 30);
    let known = store
        .known(&["p1", "p20", "x"], watched_at(later))
        .await
        .unwrap();
    assert_eq!(known.len(), 2);
    assert!(known["p20"].is_wanted && !known["p1"].is_wanted);
}

/// For notifications: open payments, also if no client watches them.
#[tokio::test]
async fn open_payments_are_followed_for_a_limited_time() {
    let store = store().await;
    let hour = Duration::from_hours(1);
    for id in ["open", "closed", "watched"] {
        add(&store, id, SOON).await;
    }
    let clock = store.clock().await.unwrap();
    execute(
        &store,
        "UPDATE payments SET ending = 'closed' WHERE transaction_id = 'closed'",
    )
    .await;
    let watched = [Arc::from("watched")];
    store
        .extend_interest(&watched, clock.after(3 * hour))
        .await
        .unwrap();
    let later = clock.after(2 * hour);
    let followed = |age: Duration| Interest {
        now: later,
        open_since: Some(clock.after(2 * hour).saturating_sub(millis(age))),
    };
    for (interest, expected) in [
        (watched_at(later), ["watched"].as_slice()),
        (followed(3 * hour), &["open", "watched"]),
        // It is too old.
        (followed(hour), &["watched"]),
    ] {
        let count = store.count(interest).await.unwrap();
        assert_eq!(count, u64::try_from(expected.len()).unwrap());
        let ids = ["closed", "open", "watched"];
        let known = store.known(&ids, interest).await.unwrap();
        let wanted = ids.into_iter().filter(|id| known[*id].is_wanted);
        assert_eq!(wanted.collect::<Vec<_>>(), expected);
    }
}

#[tokio::test]
async fn cycles_that_follow_open_payments_have_a_pause() {
    let store = store().await;
    let state = polling(&store).await;
    let clock = store.clock().await.unwrap();
    let hour = Duration::from_hours(1);
    assert!(state.is_follow_due(clock, hour));
    let interest = Interest {
        now: clock.now,
        open_since: Some(0),
    };
    let cycle = store.begin_cycle(&state, clock, TERM, interest).await;
    end(&store, &cycle.unwrap().unwrap(), 0).await;
    let state = polling(&store).await;
    assert!(!state.is_follow_due(clock, hour));
    assert!(state.is_follow_due(clock, Duration::ZERO));
    // A cycle for watched payments does not count.
    let clock = store.clock().await.unwrap();
    let due = "UPDATE polling SET due_at = 0, followed_at = 0";
    execute(&store, due).await;
    let state = polling(&store).await;
    let cycle = store.begin_cycle(&state, clock, TERM, watched_at(clock.now));
    assert!(cycle.await.unwrap().is_some());
    assert!(polling(&store).await.is_follow_due(clock, hour));
    // The database's clock was set back.
    execute(&store, "UPDATE polling SET followed_at = 9000000000000").await;
    assert!(polling(&store).await.is_follow_due(clock, hour));
}

#[tokio::test]
async fn a_late_reconnection_gets_the_latest_record() {
    let config = config();
    let service = Arc::new(Service::new(&config, Metrics::new()).unwrap());
    let store = store().await;
    let tracking = Tracking::start(&config, service, store.database.clone(), &Metrics::new()).await;
    let tracking = tracking.unwrap();
    add(&store, "a", SOON).await;
    let cycle = loop {
        // The service can't be reached, so end the failing cycle of the poller.
        if let Some(cycle) = take(&store).await {
            break cycle;
        }
        tokio::time::sleep(SOON).await;
        execute(&store, "UPDATE polling SET due_at = 0, lease_until = 0").await;
    };
    for record in ["1", "2"] {
        let changes = [change("a", record)];
        store.write_changes(&cycle, &changes).await.unwrap();
    }
    execute(&store, "DELETE FROM payment_events").await;
    let events = tracking.watch("a", Some(1)).await.unwrap();
    tracking.close();
    let events: Vec<_> = events.collect().await;
    let expected = sse::Event::default().event("status").id("2").data("2");
    assert_eq!(format!("{events:?}"), format!("{:?}", [expected]));
}

#[tokio::test]
async fn old_rows_are_pruned() {
    let store = store().await;
    add(&store, "old", SOON).await;
    add(&store, "new", SOON).await;
    tokio::time::sleep(SOON).await;
    let cycle = take(&store).await.unwrap();
    let changes = [change("old", "1"), change("new", "2")];
    store.write_changes(&cycle, &changes).await.unwrap();
    for statement in [
        "UPDATE payments SET kept_until = 0 WHERE transaction_id = 'old'",
        "UPDATE payment_events SET written_at = 0 WHERE id = 1",
    ] {
        execute(&store, statement).await;
    }
    assert!(store.receive(b"x").await.unwrap());
    assert!(!store.receive(b"x").await.unwrap());
    store.prune().await.unwrap();
    assert!(store.latest("old").await.unwrap().is_none());
    assert!(store.latest("new").await.unwrap().is_some());
    assert_eq!(store.changes(0).await.unwrap().len(), 1);
    assert!(!store.receive(b"x").await.unwrap());
    // A duplicate is accepted again after the replay window.
    execute(&store, "UPDATE notifications SET received_at = 1").await;
    assert!(store.receive(b"x").await.unwrap());
}

#[tokio::test]
async fn pruning_continues_while_batches_are_full() {
    let store = store().await;
    let old: Vec<_> = (0..=BATCH).map(|number| number.to_string()).collect();
    for id in &old {
        add(&store, id, SOON).await;
    }
    add(&store, "new", SOON).await;
    execute(
        &store,
        "UPDATE payments SET kept_until = 0 WHERE transaction_id <> 'new'",
    )
    .await;
    store.prune().await.unwrap();
    for id in &old {
        assert!(store.latest(id).await.unwrap().is_none(), "{id}");
    }
    assert!(store.latest("new").await.unwrap().is_some());
}
