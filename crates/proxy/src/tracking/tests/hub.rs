//! Which streams an event is sent to.

use std::convert::Infallible;

use axum::body::to_bytes;
use axum::response::{IntoResponse as _, Sse};
use futures_util::stream::iter;
use tender_ledger::Facts;

use super::*;
use crate::metrics::Metrics;
use crate::statuses::Viewer;
use crate::store::payments::Change;
use crate::tracking::hub::{Hub, RECENT};
use crate::tracking::stream::EventStream;

fn hub() -> Arc<Hub> {
    Arc::new(Hub::new(Metrics::new()))
}

#[tokio::test]
async fn a_slow_stream_misses_nothing() {
    let (hub, store) = (hub(), store().await);
    for id in ["a", "b"] {
        add(&store, id, SOON).await;
    }
    let shared = shared(store.clone());
    let streams = [Some("a".into()), None].map(|scope| {
        let stream = EventStream {
            subscription: hub.subscribe(scope),
            shared: Arc::clone(&shared),
            viewer: Viewer::Merchant,
            last: 0,
            is_behind: false,
        };
        stream.starting_with(Vec::new())
    });
    let changes: Vec<_> = (0..4 * RECENT)
        .map(|number| {
            let id = if number % 2 == 0 { "a" } else { "b" };
            change(id, &format!(r#"{{"n":{number}}}"#))
        })
        .collect();
    store.store_changes(changes, i64::MAX).await.unwrap();
    let mut last = 0;
    while let Some(newest) = store.events(last, None).await.unwrap().pop() {
        for event in store.events(last, None).await.unwrap() {
            hub.publish(event);
        }
        last = newest.change.id;
    }
    for (stream, count) in streams.into_iter().zip([2 * RECENT, 4 * RECENT]) {
        let received: Vec<_> = stream.take(count).collect().await;
        let received: Vec<_> = received.iter().map(|event| format!("{event:?}")).collect();
        assert_eq!(received.len(), count);
        let mut once = received.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), count);
    }
    assert!(!hub.has_streams());
}

#[tokio::test]
async fn interest_is_renewed_periodically() {
    let hub = hub();
    let _streams = [hub.subscribe(Some("a".into())), hub.subscribe(None)];
    hub.viewed("c");
    let hour = Duration::from_hours(1);
    // What could not be saved is still due, also if no stream follows it.
    assert_eq!(hub.interest_due(9, hour).len(), 3);
    let first = hub.interest_due(2, hour);
    assert_eq!(first.len(), 2);
    hub.interest_saved(&first);
    let second = hub.interest_due(2, hour);
    assert_eq!(second.len(), 1);
    hub.interest_saved(&second);
    assert!(hub.interest_due(2, hour).is_empty());
    assert_eq!(hub.interest_due(9, Duration::ZERO).len(), 2);
}

/// A field of an event can't contain a carriage return.
#[tokio::test]
async fn line_breaks_in_a_record_do_not_end_the_event() {
    let shared = shared(store().await);
    let change = Change {
        id: 1,
        record: "{\"meta\":{\r\n\"a\":1\n}}".to_owned(),
        facts: Facts::default(),
        has_moved: false,
        listed_pay: None,
    };
    let event = Ok::<_, Infallible>(shared.statuses.event("status", &change, Viewer::Merchant));
    let body = Sse::new(iter([event])).into_response().into_body();
    let bytes = to_bytes(body, usize::MAX).await.unwrap();
    let expected = "event: status\nid: 1\ndata: {\"meta\":{\ndata: \ndata: \"a\":1\ndata: }}\n\n";
    assert_eq!(bytes, expected);
}
