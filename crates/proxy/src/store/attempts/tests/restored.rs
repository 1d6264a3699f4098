//! What a database does that was restored from a backup.

use tender_ledger::{Found, Origin};

use super::*;

on_each_database! {
    an_order_that_a_backup_may_lack_is_searched_for_first
    a_payment_that_was_found_with_another_status_has_moved
    a_payment_that_has_ended_is_not_searched_for
    the_shop_hears_what_became_of_a_payment_before_it_was_found
    an_earlier_payment_of_a_missing_ones_order_asks_for_no_money
    what_a_backup_lacks_is_remembered_as_long_as_orders
    no_event_of_a_backup_has_the_id_of_one_that_came_after_it
}

const YEAR: Millis = 365 * DAY;

/// A backup lacks the payment "t" with this invoice number.
async fn restore(store: &Store, invoice: &str) {
    let mut record = record("t", "Created");
    record.set("invoiceNumber", &invoice).unwrap();
    store
        .note_restore(&[("t".to_owned(), record)])
        .await
        .unwrap();
}

fn order(invoice: &str) -> Arc<NewAttempt> {
    attempt(None, invoice, Some(DAY))
}

async fn an_order_that_a_backup_may_lack_is_searched_for_first(database: config::Database) {
    let store = open(&database).await;
    assert_eq!(store.memory_since().await.unwrap(), None);
    restore(&store, " order 1").await;
    assert!(store.memory_since().await.unwrap().is_some());
    for other in [order("ORDER-2"), attempt(None, "ORDER 1", None)] {
        let other = held(&store, &other).await;
        assert_eq!(other.first_action(), Some(Action::Create));
    }
    // Nothing was asked for, so the next request begins again.
    for _ in 0..2 {
        let mut first = held(&store, &order("ORDER 1")).await;
        assert_eq!(first.first_action(), Some(Action::Search));
        assert!(store.was_restored_since(&first.attempt).await.unwrap());
        let unclear = news(Evidence::Searched(Found::Unclear), None, 0);
        let action = store.decide(&mut first, &Goal::Create, &unclear).await;
        let refused = Action::Answer(Answer::Refused(Refusal::Unidentified));
        assert_eq!(action.unwrap(), refused);
    }
    let mut again = held(&store, &order("ORDER 1")).await;
    let found = Evidence::Searched(Found::One("t".to_owned()));
    let found = News {
        meaning: Meaning::Paid,
        ..news(found, Some(record("t", "Paid")), i64::MAX)
    };
    let action = store.decide(&mut again, &Goal::Create, &found).await;
    let shown = Action::Answer(Answer::Show(Origin::Found));
    assert_eq!(action.unwrap(), shown);
    let latest = store.latest_change("t").await.unwrap().unwrap();
    assert_eq!(latest.facts.fate, Some(PaymentFate::Paid));
    assert!(latest.has_moved);
    // The merchant refunds it, and the order is paid again.
    let release = store.begin_for_payment("t", Goal::Release).await.unwrap();
    let Some(Begun::Held(mut release, goal)) = release else {
        panic!("the lease is not granted")
    };
    let resumed = News::of(Evidence::Resumed);
    store.decide(&mut release, &goal, &resumed).await.unwrap();
    let next = held(&store, &order("ORDER 1")).await;
    assert_eq!(next.first_action(), Some(Action::Create));
    assert!(!store.was_restored_since(&next.attempt).await.unwrap());
}

/// Also if the list did not show it before.
async fn a_payment_that_was_found_with_another_status_has_moved(database: config::Database) {
    let store = open(&database).await;
    for (id, status, has_moved) in [("t", "Review", true), ("u", "Created", false)] {
        let mut held = held(&store, &order(id)).await;
        let found = Evidence::Searched(Found::One(id.to_owned()));
        let found = news(found, Some(record(id, status)), i64::MAX);
        store
            .decide(&mut held, &Goal::Create, &found)
            .await
            .unwrap();
        let latest = store.latest_change(id).await.unwrap().unwrap();
        assert_eq!(latest.has_moved, has_moved);
    }
}

async fn the_shop_hears_what_became_of_a_payment_before_it_was_found(database: config::Database) {
    let mut store = open(&database).await;
    let notifications = &mut Arc::make_mut(&mut store.config).notifications;
    notifications.url = Some("http://127.0.0.1:9".parse().unwrap());
    restore(&store, "I").await;
    list(&store, "Paid", Meaning::Paid).await;
    let mut held = held(&store, &order("I")).await;
    let found = Evidence::Searched(Found::One("t".to_owned()));
    let found = News {
        meaning: Meaning::Paid,
        ..news(found, Some(record("t", "Paid")), i64::MAX)
    };
    store
        .decide(&mut held, &Goal::Create, &found)
        .await
        .unwrap();
    let told = query!("SELECT kind FROM outbox ORDER BY position");
    let told = store.database.rows::<(String,)>(told).await.unwrap();
    let told: Vec<_> = told.iter().map(|(kind,)| kind.as_str()).collect();
    assert_eq!(told, ["payment.created", "payment.paid"]);
}

async fn an_earlier_payment_of_a_missing_ones_order_asks_for_no_money(database: config::Database) {
    let store = open(&database).await;
    let (long, other) = ("order 2026-11-22 / 1", "order 2026-11-22 / 2");
    for (invoice, id) in [(long, "a"), (other, "b")] {
        create(&store, &order(invoice), id).await;
    }
    // The service lists it cut.
    restore(&store, "ORDER2026-11-22/1").await;
    for (id, fate) in [("a", Some(PaymentFate::Unknown)), ("b", None)] {
        let latest = store.latest_change(id).await.unwrap().unwrap();
        assert_eq!(latest.facts.fate, fate, "{id}");
    }
    let next = held(&store, &order(long)).await;
    assert_eq!(next.first_action(), Some(Action::Search));
    assert_eq!(shown(&store, &order(other)).await, "b");
    // What a dashboard has listed is still missing.
    let of_attempts = store.of_attempts(&["a", "t"]).await.unwrap();
    assert_eq!(of_attempts, ["a".to_owned()].into());
}

async fn a_payment_that_has_ended_is_not_searched_for(database: config::Database) {
    let store = open(&database).await;
    restore(&store, "I").await;
    list(&store, "Expired", Meaning::Closed).await;
    let next = held(&store, &order("I")).await;
    assert_eq!(next.first_action(), Some(Action::Create));
}

async fn what_a_backup_lacks_is_remembered_as_long_as_orders(database: config::Database) {
    let store = open(&database).await;
    restore(&store, "I").await;
    let age = store.clock().await.unwrap().age();
    let count = || query!("SELECT COUNT(*) FROM missing_payments");
    for (age, left) in [(age + YEAR - DAY, 1), (age + YEAR + DAY, 0)] {
        store.prune_missing(age, 10).await.unwrap();
        assert_eq!(store.database.number(count()).await.unwrap(), left);
    }
}

/// A page that has seen that one would miss the other.
async fn no_event_of_a_backup_has_the_id_of_one_that_came_after_it(database: config::Database) {
    let store = open(&database).await;
    let backup = store.last_event().await.unwrap();
    store.note_restore(&[]).await.unwrap();
    assert!(store.last_event().await.unwrap() > backup + 1_000_000);
}
