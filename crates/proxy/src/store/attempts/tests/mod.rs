//! Tests of the attempt store on each database: retention, leases and the order of reads, which would take too long over
//! HTTP.

mod keeping;
mod locks;
mod restored;

use std::sync::Arc;

use tender_ledger::{
    Action, Answer, Cancelled, Created, Evidence, Goal, Listed, Meaning, Origin, Owner,
    PaymentFate, Refusal, Requester,
};
use tender_protocol::request::SignedOrder;
use tender_protocol::{CreatePayment, Record, TokenCode};

use super::*;
use crate::clock::{Clock, Instant, Millis};
use crate::config;
use crate::store::database::{Error, query};
use crate::store::testing::{on_each_database, open, pass};
use crate::store::{Store, payments, to_json};

on_each_database! {
    a_key_is_bound_to_few_attempts
    only_the_latest_holder_stores
    a_lease_ends_for_who_has_waited_as_long
    nothing_is_sent_after_the_lease
    an_older_read_replaces_nothing
    a_mark_makes_no_read_older
    what_the_list_showed_before_the_answer_does_not_count
    what_is_stored_meanwhile_is_decided_on
    a_late_payment_that_is_being_cancelled_belongs_to_nobody_else
    a_payment_with_another_invoice_number_may_be_another_attempts
    a_released_order_is_free_of_a_payment_for_which_money_was_seen
    a_payment_of_elsewhere_may_be_on_the_first_page
}

const DAY: Millis = 24 * 60 * 60_000;

/// An attempt to pay an invoice in BTC, with a key or with an order that expires after `payable`.
fn attempt(key: Option<&str>, invoice: &str, payable: Option<Millis>) -> Arc<NewAttempt> {
    let payment = CreatePayment {
        token: TokenCode::from("btc"),
        quantity: "1".parse().unwrap(),
        payment_token: TokenCode::from("btc"),
        invoice_number: invoice.to_owned(),
        purchase_email: Some("ada@shop.example".to_owned()),
        purchase_name: None,
        item_number: None,
    };
    let order = payable.map(|payable| {
        let signed = SignedOrder {
            token: "btc".to_owned(),
            quantity: Some("1".to_owned()),
            invoice_number: invoice.to_owned(),
            item_number: None,
        };
        Order::new(signed, Duration::from_millis(payable.unsigned_abs()))
    });
    let key = key.map(|key| IdempotencyKey::new(key.to_owned()).unwrap());
    Arc::new(NewAttempt {
        key,
        order,
        payment,
        replaces: vec![],
    })
}

async fn begin(store: &Store, attempt: &Arc<NewAttempt>) -> Begun {
    store.begin_create(attempt, None).await.unwrap()
}

async fn held(store: &Store, attempt: &Arc<NewAttempt>) -> Held {
    match begin(store, attempt).await {
        Begun::Held(held, _) => *held,
        Begun::Answered(answer, _) => panic!("{answer:?}"),
        Begun::Waiting(_) => panic!("another request works on it"),
        Begun::Failed(code) => panic!("{code:?}"),
        Begun::Mismatch => panic!("the key was used for another request"),
    }
}

/// The payment that a repeated request gets.
async fn shown(store: &Store, attempt: &Arc<NewAttempt>) -> String {
    match begin(store, attempt).await {
        Begun::Answered(Answer::Show(Origin::Repeated), stored) => {
            stored.payment().unwrap().clone()
        }
        _ => panic!("it is not shown"),
    }
}

fn record(id: &str, status: &str) -> Record {
    let json = format!(
        r#"{{"transactionId":"{id}","token":"BTC","paymentToken":"BTC","quantity":1.10,
            "quantityPay":1e-8,"statusId":"1","statusText":"{status}","wallet":"w",
            "purchaseEmail":"ada@shop.example"}}"#
    );
    Record::parse(&json, "a payment record").unwrap()
}

fn news(evidence: Evidence<String>, record: Option<Record>, asked_after: i64) -> News {
    News {
        record,
        asked_after,
        ..News::of(evidence)
    }
}

/// Creates the payment of an attempt.
async fn create(store: &Store, attempt: &Arc<NewAttempt>, id: &str) {
    let mut held = held(store, attempt).await;
    let created = Evidence::Created(Created::Payment(id.to_owned()));
    let created = news(created, Some(record(id, "Created")), 0);
    let action = store.decide(&mut held, &Goal::Create, &created).await;
    let shown = Action::Answer(Answer::Show(Origin::Created));
    assert_eq!(action.unwrap(), shown);
}

/// The lease to cancel the payment "t".
async fn cancelling(store: &Store, requester: Requester) -> (Goal<String>, Held) {
    let goal = Goal::Cancel(requester);
    match store.begin_for_payment("t", goal).await.unwrap() {
        Some(Begun::Held(held, goal)) => (goal, *held),
        _ => panic!("the lease is not granted"),
    }
}

/// It is not known when it was created.
async fn a_payment_of_elsewhere_may_be_on_the_first_page(database: config::Database) {
    let store = open(&database).await;
    for (key, id) in [("1", "one"), ("2", "two")] {
        create(&store, &attempt(Some(key), key, None), id).await;
    }
    cancelling(&store, Requester::Merchant).await;
    assert_eq!(store.count_later("t").await.unwrap(), 0);
}

async fn a_key_is_bound_to_few_attempts(database: config::Database) {
    let store = open(&database).await;
    create(&store, &attempt(None, "I", Some(0)), "t").await;
    for number in 0..50 {
        let keyed = attempt(Some(&number.to_string()), "I", Some(0));
        assert_eq!(shown(&store, &keyed).await, "t");
    }
    let count = query!("SELECT COUNT(*) FROM attempt_keys");
    assert_eq!(store.database.number(count).await.unwrap(), 16);
}

async fn only_the_latest_holder_stores(database: config::Database) {
    let store = open(&database).await;
    let keyed = attempt(Some("key"), "I", None);
    let mut first = held(&store, &keyed).await;
    assert!(matches!(begin(&store, &keyed).await, Begun::Waiting(_)));
    let ended = "UPDATE attempts SET lease_until = 0";
    store.database.execute(ended).await;
    let mut second = held(&store, &keyed).await;
    assert!(second.first_action().is_none());
    for (held, is_lost) in [(&mut first, true), (&mut second, false)] {
        let created = Evidence::Created(Created::Payment("t".to_owned()));
        let created = news(created, Some(record("t", "Created")), 0);
        let stored = store.decide(held, &Goal::Create, &created).await;
        assert_eq!(matches!(stored, Err(Error::LeaseLost)), is_lost);
    }
}

/// Whatever the database's clock says.
async fn a_lease_ends_for_who_has_waited_as_long(database: config::Database) {
    let store = open(&database).await;
    let keyed = attempt(Some("key"), "I", None);
    let is_waiting = async || matches!(begin(&store, &keyed).await, Begun::Waiting(_));
    drop(held(&store, &keyed).await);
    // The process that has made the call is another one, and the clock is ahead.
    let ahead = "UPDATE attempts SET lease_until = 1, settles_at = 1";
    store.database.execute(ahead).await;
    assert!(is_waiting().await);
    pass(store.config.upstream.timeout).await;
    assert!(is_waiting().await);
    pass(store.config.upstream.timeout).await;
    let resumed = held(&store, &keyed).await;
    assert!(resumed.first_action().is_none());
    // It is not known when the call was made.
    drop(resumed);
    store
        .database
        .execute("UPDATE attempts SET settles_at = 2, lease_until = 0")
        .await;
    let resumed = held(&store, &keyed).await;
    let until_settled = resumed.settled - Instant::now();
    assert!(
        until_settled > store.config.upstream.timeout,
        "{until_settled:?}"
    );
}

/// The process was suspended after it has read the list.
async fn nothing_is_sent_after_the_lease(database: config::Database) {
    let store = open(&database).await;
    create(&store, &attempt(Some("key"), "I", None), "t").await;
    let (goal, mut held) = cancelling(&store, Requester::Merchant).await;
    held.lease = held.lease.renewed(Clock {
        now: 0,
        ..store.clock().await.unwrap()
    });
    let unchanged = News::of(Evidence::Listed(Listed::Unchanged));
    let stored = store.decide(&mut held, &goal, &unchanged).await;
    assert!(matches!(stored, Err(Error::LeaseLost)));
}

/// It was begun before a newer one, and arrives later.
async fn an_older_read_replaces_nothing(database: config::Database) {
    let store = open(&database).await;
    create(&store, &attempt(Some("key"), "I", None), "t").await;
    let (goal, mut held) = cancelling(&store, Requester::Merchant).await;
    let change = payments::ListedChange {
        transaction_id: "t".to_owned(),
        listed: record("t", "Paid"),
        meaning: Meaning::Paid,
    };
    store.store_changes(vec![change], 0).await.unwrap();
    let older = Evidence::Listed(Listed::Unchanged);
    let older = news(older, Some(record("t", "Created")), 0);
    let action = store.decide(&mut held, &goal, &older).await.unwrap();
    let refused = Action::Answer(Answer::Refused(Refusal::Progressed));
    assert_eq!(action, refused);
    let latest = store.latest_change("t").await.unwrap().unwrap();
    assert!(latest.record.contains("Paid"), "{}", latest.record);
    assert_eq!(latest.facts.fate, Some(PaymentFate::Paid));
}

/// Else a page could hold back the status for as long as it likes.
async fn a_mark_makes_no_read_older(database: config::Database) {
    let store = open(&database).await;
    create(&store, &attempt(Some("key"), "I", None), "t").await;
    let asked_after = store.last_event().await.unwrap();
    let digest = MarkDigest::of("s");
    store.mark_sent("t", &digest).await.unwrap();
    for (status, meaning) in [("Paid", Meaning::Paid), ("Created", Meaning::NotMapped)] {
        let change = payments::ListedChange {
            transaction_id: "t".to_owned(),
            listed: record("t", status),
            meaning,
        };
        store
            .store_changes(vec![change], asked_after)
            .await
            .unwrap();
        store.unmark_sent("t", Some(&digest)).await.unwrap();
        let latest = store.latest_change("t").await.unwrap().unwrap();
        assert!(latest.record.contains("Paid"), "{}", latest.record);
    }
}

/// It may not have been the payment's record yet.
async fn what_the_list_showed_before_the_answer_does_not_count(database: config::Database) {
    let store = open(&database).await;
    let mut held = held(&store, &attempt(None, "I", Some(DAY))).await;
    let created = record("t", "Created");
    let listed = [("t".to_owned(), created.clone())];
    store.add_listed(&listed).await.unwrap();
    for status in ["Review", "Created"] {
        list(&store, status, Meaning::NotMapped).await;
    }
    let answer = Evidence::Created(Created::Payment("t".to_owned()));
    let answer = news(answer, Some(created), 0);
    let action = store.decide(&mut held, &Goal::Create, &answer).await;
    let shown = Action::Answer(Answer::Show(Origin::Created));
    assert_eq!(action.unwrap(), shown);
    let latest = store.latest_change("t").await.unwrap().unwrap();
    assert!(!latest.has_moved);
}

/// Another transaction marks the payment, or stores that it is paid, and ends after the decision has begun.
async fn what_is_stored_meanwhile_is_decided_on(database: config::Database) {
    let store = open(&database).await;
    create(&store, &attempt(Some("key"), "I", None), "t").await;
    for (lock, statement, refusal) in [
        (
            query!(statements::LOCK_PAYMENT, "t"),
            "INSERT INTO sent_marks (digest, transaction_id, written_at) VALUES ('d', 't', 0)",
            Refusal::Marked,
        ),
        (
            query!(payments::LOCK_EVENTS),
            "UPDATE payments SET ending = 'paid' WHERE transaction_id = 't'",
            Refusal::Progressed,
        ),
    ] {
        store.database.execute("DELETE FROM sent_marks").await;
        let (goal, mut held) = cancelling(&store, Requester::Buyer).await;
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let other = store.database.clone();
        let other = tokio::spawn(async move {
            let mut session = other.begin().await.unwrap();
            session.execute(lock).await.unwrap();
            session.execute(query!(statement)).await.unwrap();
            begun.send(()).unwrap();
            tokio::time::sleep(Duration::from_millis(300)).await;
            session.commit().await
        });
        has_begun.await.unwrap();
        let unchanged = News::of(Evidence::Listed(Listed::Unchanged));
        let action = store.decide(&mut held, &goal, &unchanged).await.unwrap();
        assert_eq!(action, Action::Answer(Answer::Refused(refusal)));
        other.await.unwrap().unwrap();
    }
}

/// The attempt that it was created for may search the list meanwhile.
async fn a_late_payment_that_is_being_cancelled_belongs_to_nobody_else(database: config::Database) {
    let store = open(&database).await;
    let held = held(&store, &attempt(Some("key"), "I", None)).await;
    let created = record("t", "Created");
    let added = store.add_late(&held.attempt, "t", &created, false);
    added.await.unwrap();
    let owner = async || {
        let owner = store.owner_of_payment("t", &held.attempt, None);
        owner.await.unwrap()
    };
    assert_eq!(owner().await, Owner::None);
    let (goal, mut late) = cancelling(&store, Requester::Merchant).await;
    for (evidence, action) in [
        (
            Evidence::Listed(Listed::Unchanged),
            Action::Cancel("t".to_owned()),
        ),
        (
            Evidence::Cancelled(Cancelled::Lost),
            Action::Answer(Answer::Failed),
        ),
    ] {
        let decided = store.decide(&mut late, &goal, &News::of(evidence)).await;
        assert_eq!(decided.unwrap(), action);
        assert_eq!(owner().await, Owner::Other);
    }
}

/// A payment that is listed with another invoice number is another one's if that one's own payment is not known either.
async fn a_payment_with_another_invoice_number_may_be_another_attempts(database: config::Database) {
    let store = open(&database).await;
    let own = held(&store, &attempt(None, "I", Some(DAY))).await;
    let owner = async |invoice| {
        let owner = store.owner_of_payment("u", &own.attempt, Some(invoice));
        owner.await.unwrap()
    };
    drop(held(&store, &attempt(None, "J", Some(DAY))).await);
    create(&store, &attempt(None, "K", Some(DAY)), "t").await;
    for (invoice, expected) in [("J", Owner::Other), ("K", Owner::None), ("L", Owner::None)] {
        assert_eq!(owner(invoice).await, expected, "{invoice}");
    }
    // A dashboard read it before.
    let listed = [("u".to_owned(), Record::default())];
    store.add_listed(&listed).await.unwrap();
    assert_eq!(owner("L").await, Owner::None);
    let late = "UPDATE attempts SET called_after = 1000";
    store.database.execute(late).await;
    assert_eq!(owner("L").await, Owner::Other);
}

/// Unless it is paid later.
async fn a_released_order_is_free_of_a_payment_for_which_money_was_seen(
    database: config::Database,
) {
    let store = open(&database).await;
    let attempt = attempt(None, "I", Some(DAY));
    create(&store, &attempt, "t").await;
    let refused = async || {
        let progressed = Answer::Refused(Refusal::Progressed);
        let begun = begin(&store, &attempt).await;
        matches!(begun, Begun::Answered(answer, _) if answer == progressed)
    };
    for (status, meaning) in [("Partly", Meaning::Underpaid), ("Paid", Meaning::Paid)] {
        list(&store, status, meaning).await;
        assert_eq!(refused().await, meaning == Meaning::Paid);
        release(&store).await;
        drop(held(&store, &attempt).await);
        let forgotten = "DELETE FROM attempts WHERE transaction_id IS NULL";
        assert_eq!(store.database.execute(forgotten).await, 1);
    }
}

/// Stores that the list shows the payment "t" with this status.
async fn list(store: &Store, status: &str, meaning: Meaning) {
    let change = payments::ListedChange {
        transaction_id: "t".to_owned(),
        listed: record("t", status),
        meaning,
    };
    let asked_after = store.last_event().await.unwrap();
    store
        .store_changes(vec![change], asked_after)
        .await
        .unwrap();
}

/// The merchant releases the order of the payment "t".
async fn release(store: &Store) {
    let released = store.begin_for_payment("t", Goal::Release).await;
    let Some(Begun::Held(mut released, goal)) = released.unwrap() else {
        panic!("the lease is not granted");
    };
    let resumed = News::of(Evidence::Resumed);
    store.decide(&mut released, &goal, &resumed).await.unwrap();
}
