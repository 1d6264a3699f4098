//! Which events are written, sent again and deleted.

use super::*;
use crate::metrics::UnsentEvents;

on_each_database! {
    events_are_written_for_payments_of_this_proxy
    old_events_are_pruned
}

async fn events_are_written_for_payments_of_this_proxy(config: config::Database) {
    let store = open(config).await;
    store.created("a").await;
    store.write("elsewhere", 0, EventKind::Created).await;
    assert!(store.claimed().await.is_empty());
    assert_eq!(store.count_events().await.unwrap(), UnsentEvents::default());
    store.write("a", 0, EventKind::Created).await;
    let unsent = store.count_events().await.unwrap();
    assert_eq!((unsent.waiting, unsent.given_up), (1, 0));
    assert!(unsent.oldest.is_some());
    let claimed = store.claimed().await;
    assert!(store.end_try(&claimed[0], Verdict::GivenUp).await);
    let given_up = UnsentEvents {
        given_up: 1,
        ..UnsentEvents::default()
    };
    assert_eq!(store.count_events().await.unwrap(), given_up);
}

async fn old_events_are_pruned(config: config::Database) {
    let store = open(config).await;
    store.created("a").await;
    store.write("a", 0, EventKind::Created).await;
    let old = "UPDATE outbox SET id = 'msg_000000000001' || id";
    store.database.execute(old).await;
    store.write("a", 1, EventKind::Updated).await;
    let prune = prune(store.clock().await.unwrap());
    assert_eq!(store.database.write(prune).await.unwrap(), 1);
    let listed = store.deliveries(Filter::default()).await.unwrap();
    assert_eq!(listed.deliveries.len(), 1);
    assert_eq!(listed.deliveries[0].kind, "payment.updated");
}

#[test]
fn a_change_is_named_by_the_ending() {
    let (closed, paid) = (Some(PaymentFate::Closed), Some(PaymentFate::Paid));
    let (pending, underpaid) = (Some(PaymentFate::Pending), Some(PaymentFate::Underpaid));
    for (before, after, kind) in [
        (None, None, EventKind::Updated),
        (None, closed, EventKind::Closed),
        (None, pending, EventKind::Pending),
        (pending, underpaid, EventKind::Underpaid),
        (underpaid, underpaid, EventKind::Updated),
        // What became of the money is not known.
        (pending, Some(PaymentFate::Seen), EventKind::Updated),
        (Some(PaymentFate::Seen), pending, EventKind::Pending),
        (pending, paid, EventKind::Paid),
        (None, paid, EventKind::Paid),
        (closed, paid, EventKind::Paid),
        (closed, closed, EventKind::Updated),
        (paid, paid, EventKind::Updated),
        // Its cancellation was not confirmed.
        (closed, None, EventKind::Updated),
    ] {
        let kind_in = |order| {
            let facts = |fate| Facts {
                fate,
                order,
                sent: false,
            };
            kind_of_change(facts(before), facts(after))
        };
        assert_eq!(kind_in(None), kind);
        // Nothing is to be paid any more, whatever else becomes of it.
        let is_paid = kind == EventKind::Paid;
        let once_paid = if is_paid { kind } else { EventKind::Updated };
        assert_eq!(kind_in(Some(OrderMoney::Paid)), once_paid);
    }
}
