//! Tests of the event streams of one instance.

use super::*;

fn event(id: i64) -> Event {
    Event::new("status", id, "{}")
}

fn ids(events: Option<Vec<Event>>) -> Vec<i64> {
    let events = events.into_iter().flatten();
    events.map(|event| event.id).collect()
}

#[tokio::test]
async fn every_subscriber_gets_an_event_once() {
    let hub = Arc::new(Hub::new(Metrics::new()));
    let mut first = hub.watch("a").unwrap();
    let mut second = hub.watch("a").unwrap();
    let mut other = hub.watch("b").unwrap();
    for id in 1..=2 {
        hub.publish("a", || event(id));
    }
    hub.publish("b", || event(3));
    assert_eq!(ids(first.after(0).await), [1, 2]);
    // The second subscriber has read the first event from the database.
    assert_eq!(ids(second.after(1).await), [2]);
    assert_eq!(ids(other.after(0).await), [3]);
    hub.publish("a", || event(4));
    assert_eq!(ids(first.after(2).await), [4]);
}

#[tokio::test]
async fn a_slow_subscriber_gets_the_latest_events() {
    let hub = Arc::new(Hub::new(Metrics::new()));
    let mut watcher = hub.watch("a").unwrap();
    for id in 1..=40 {
        hub.publish("a", || event(id));
    }
    let received = ids(watcher.after(0).await);
    assert_eq!((received.len(), received.last()), (RECENT, Some(&40)));
}

#[tokio::test]
async fn unwatched_payments_have_no_channel() {
    let hub = Arc::new(Hub::new(Metrics::new()));
    let watchers = [hub.watch("a").unwrap(), hub.watch("a").unwrap()];
    for watcher in watchers {
        assert!(!hub.is_empty());
        drop(watcher);
    }
    assert!(hub.is_empty());
    hub.watch("b").unwrap();
}

#[tokio::test]
async fn interest_is_renewed_periodically() {
    let hub = Arc::new(Hub::new(Metrics::new()));
    let _watchers = [hub.watch("a").unwrap(), hub.watch("b").unwrap()];
    hub.viewed("c");
    let hour = Duration::from_hours(1);
    let first = hub.interest_due(2, hour);
    assert_eq!(first.len(), 2);
    assert_eq!(hub.interest_due(2, hour).len(), 1);
    assert!(hub.interest_due(2, hour).is_empty());
    assert_eq!(hub.interest_due(9, Duration::ZERO).len(), 2);
    hub.interest_not_saved(&[Arc::from("a")]);
    assert_eq!(hub.interest_due(2, hour), [Arc::from("a")]);
}
