//! Which events are written, sent again and deleted.

use super::*;

on_each_database! {
    events_are_written_for_payments_of_this_proxy_if_there_is_a_receiver
    what_was_given_up_can_be_sent_again
    old_events_are_pruned
}

async fn events_are_written_for_payments_of_this_proxy_if_there_is_a_receiver(
    config: config::Database,
) {
    let store = open(config).await;
    store.created("a").await;
    store.write(Outbox::Off, "a", 0, EventKind::Created).await;
    store
        .write(Outbox::On, "elsewhere", 0, EventKind::Created)
        .await;
    assert!(!store.is_any_due().await.unwrap());
    store.write(Outbox::On, "a", 0, EventKind::Created).await;
    assert!(store.is_any_due().await.unwrap());
    let listed = store.list(Filter::default()).await.unwrap();
    let [only] = &*listed.deliveries else {
        panic!("{listed:?}");
    };
    assert_eq!((&*only.kind, only.tries), ("payment.created", 0));
    assert_eq!(only.state, DeliveryState::Waiting);
    assert!(only.id.starts_with("msg_0"), "{}", only.id);
}

async fn what_was_given_up_can_be_sent_again(config: config::Database) {
    let store = open(config).await;
    for id in ["a", "b", "c"] {
        store.created(id).await;
        store.write(Outbox::On, id, 0, EventKind::Created).await;
    }
    for event in store.claimed().await.1 {
        let verdict = match &*event.event.transaction_id {
            "a" => Verdict::Delivered,
            _ => Verdict::GivenUp,
        };
        store.end(&event, verdict).await;
    }
    let counts = store.counts().await.unwrap();
    assert_eq!((counts.waiting, counts.given_up), (0, 2));
    assert_eq!(counts.oldest, None);
    assert_eq!(store.resend_given_up().await.unwrap(), 2);
    let counts = store.counts().await.unwrap();
    assert_eq!((counts.waiting, counts.given_up), (2, 0));
    assert!(counts.oldest.is_some());
    let (names, claimed) = store.claimed().await;
    assert_eq!(names, named(&[("b", 0), ("c", 0)]));
    assert_eq!(claimed[0].event.tries, 0);
    let unknown = vec!["msg_unknown".to_owned()];
    assert_eq!(store.resend(unknown).await.unwrap(), 0);
}

async fn old_events_are_pruned(config: config::Database) {
    let store = open(config).await;
    store.created("a").await;
    store.write(Outbox::On, "a", 0, EventKind::Created).await;
    let old = "UPDATE outbox SET id = 'msg_000000000001' || id";
    store.execute(old.to_owned()).await;
    store.write(Outbox::On, "a", 1, EventKind::Updated).await;
    let pruned = store.database.transaction(async move |session| {
        let clock = session.clock().await?;
        prune(session, clock).await
    });
    let pruned: Result<_> = pruned.await;
    assert_eq!(pruned.unwrap(), 1);
    let listed = store.list(Filter::default()).await.unwrap();
    assert_eq!(listed.deliveries.len(), 1);
    assert_eq!(listed.deliveries[0].kind, "payment.updated");
}

#[test]
fn a_change_is_named_by_the_ending() {
    let (closed, paid) = (Some(Ending::Closed), Some(Ending::Paid));
    for (before, after, kind) in [
        (None, None, EventKind::Updated),
        (None, closed, EventKind::Closed),
        (None, paid, EventKind::Paid),
        (closed, paid, EventKind::Paid),
        (closed, closed, EventKind::Updated),
        (paid, paid, EventKind::Updated),
        // Its cancellation was not confirmed.
        (closed, None, EventKind::Updated),
    ] {
        assert_eq!(EventKind::of_change(before, after), kind);
    }
}
