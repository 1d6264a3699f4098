//! Tests of the outbox on each database.

use std::collections::BTreeSet;
use std::time::Duration;

use sqlx::AssertSqlSafe;
use tender_protocol::DeliveryState;

use super::claim::DUE;
use super::*;
use crate::config;
use crate::store::database::Query;
use crate::store::lease::{Term, WriteError};
use crate::store::testing::on_each_database;

const RECORD: &str = r#"{"quantity":1.10}"#;
const TERM: Term = Term {
    call: Duration::from_mins(1),
    margin: Duration::ZERO,
};
const HOUR: Duration = Duration::from_hours(1);

on_each_database! {
    events_are_written_for_payments_of_this_proxy_if_there_is_a_receiver
    the_events_of_a_payment_are_sent_one_after_the_other
    an_event_is_sent_again_after_its_lease_expired
    what_was_given_up_can_be_sent_again
    a_hundred_thousand_events_are_claimed_by_an_index
    each_event_is_claimed_by_one_instance
    old_events_are_pruned
}

async fn open(config: config::Database) -> OutboxStore {
    let database = Database::open(&config).await.unwrap();
    OutboxStore { database }
}

impl OutboxStore {
    async fn execute(&self, sql: String) {
        let query = Query::new(AssertSqlSafe(sql), Vec::new());
        let done = self
            .database
            .transaction(async move |session| session.execute(query).await);
        let done: Result<_> = done.await;
        done.unwrap();
    }

    /// Adds the attempt that has created a payment.
    async fn created(&self, id: &str) {
        let columns = "id, fingerprint, request, begun_at, stage, fence, lease_until, called_at, \
             settles_at, written_at, kept_until, transaction_id";
        let values = format!("'{id}', '', '', 0, 'created', 1, 0, 0, 0, 0, 0, '{id}'");
        let insert = format!("INSERT INTO attempts ({columns}) VALUES ({values})");
        self.execute(insert).await;
    }

    /// Inserts waiting events, with these expressions of `n`, from 0 to `count - 1`, for their id,
    /// transactionId, position and the time at which they are due.
    async fn insert_waiting(&self, count: u32, expressions: &str) {
        let insert = format!(
            "WITH RECURSIVE numbers (n) AS
                (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count} - 1)
            INSERT INTO outbox (id, transaction_id, position, due_at,
                kind, record, written_at, state, tries, fence, lease_until)
            SELECT {expressions}, 'payment.created', '{{}}', 0, 'waiting', 0, 0, 0 FROM numbers"
        );
        self.execute(insert).await;
    }

    async fn write(&self, outbox: Outbox, id: &'static str, position: i64, kind: EventKind) {
        let written = self.database.transaction(async move |session| {
            let clock = session.clock().await?;
            let event = Event {
                transaction_id: id,
                position,
                kind,
                record: RECORD,
                ending: None,
            };
            outbox.write(session, clock, event).await
        });
        written.await.unwrap();
    }

    /// The payments and positions of the events that can be claimed, and the events.
    async fn claimed(&self) -> (Vec<(String, i64)>, Vec<ClaimedEvent>) {
        let claimed = self.claim(100, TERM).await.unwrap();
        let names = claimed.iter().map(|claimed| &claimed.event);
        let mut names: Vec<_> = names
            .map(|event| (event.transaction_id.clone(), event.position))
            .collect();
        names.sort();
        (names, claimed)
    }

    async fn end(&self, event: &ClaimedEvent, verdict: Verdict) -> bool {
        let text = "answer".to_owned();
        match self.finish(event, Answer { text, verdict }).await {
            Ok(()) => true,
            Err(WriteError::LeaseLost) => false,
            Err(WriteError::Database(error)) => panic!("{error}"),
        }
    }

    async fn states(&self, state: DeliveryState) -> usize {
        let filter = Filter {
            state: Some(state),
            ..Filter::default()
        };
        self.list(filter).await.unwrap().deliveries.len()
    }
}

fn named(names: &[(&str, i64)]) -> Vec<(String, i64)> {
    let names = names.iter();
    names
        .map(|(id, position)| ((*id).to_owned(), *position))
        .collect()
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

async fn the_events_of_a_payment_are_sent_one_after_the_other(config: config::Database) {
    let store = open(config).await;
    for id in ["a", "b"] {
        store.created(id).await;
        store.write(Outbox::On, id, 0, EventKind::Created).await;
        store.write(Outbox::On, id, 7, EventKind::Paid).await;
    }
    let (names, claimed) = store.claimed().await;
    assert_eq!(names, named(&[("a", 0), ("b", 0)]));
    // Nothing else can be sent until they are done.
    assert!(store.claimed().await.0.is_empty());
    for event in &claimed {
        let verdict = match &*event.event.transaction_id {
            "a" => Verdict::Delivered,
            _ => Verdict::TryAgain(HOUR),
        };
        assert!(store.end(event, verdict).await);
    }
    let (names, claimed) = store.claimed().await;
    assert_eq!(names, named(&[("a", 7)]));
    assert!(store.end(&claimed[0], Verdict::GivenUp).await);
    // A new event of the other payment waits as long as its first one.
    store.write(Outbox::On, "b", 8, EventKind::Updated).await;
    assert!(!store.is_any_due().await.unwrap());
    let of_b = Filter {
        transaction_id: Some("b".to_owned()),
        ..Filter::default()
    };
    let listed = store.list(of_b).await.unwrap().deliveries;
    assert_eq!(listed.len(), 3);
    assert!(listed.iter().all(|event| event.due_at == listed[0].due_at));
    // Sent at once, and then the next one.
    let mut listed = listed.into_iter();
    let first = listed.find(|event| event.kind == "payment.created");
    store.resend(vec![first.unwrap().id]).await.unwrap();
    let (names, claimed) = store.claimed().await;
    assert_eq!(names, named(&[("b", 0)]));
    assert!(store.end(&claimed[0], Verdict::Delivered).await);
    assert_eq!(store.claimed().await.0, named(&[("b", 7)]));
}

/// The instance that sends an event dies, or is suspended for longer than its lease.
async fn an_event_is_sent_again_after_its_lease_expired(config: config::Database) {
    let store = open(config).await;
    store.created("a").await;
    store.write(Outbox::On, "a", 0, EventKind::Created).await;
    let (_, first) = store.claimed().await;
    store
        .execute("UPDATE outbox SET lease_until = 1".to_owned())
        .await;
    let (_, second) = store.claimed().await;
    assert_eq!(first[0].event.id, second[0].event.id);
    // The first instance continues, but can't write any more.
    assert!(!store.end(&first[0], Verdict::GivenUp).await);
    assert_eq!(store.states(DeliveryState::GivenUp).await, 0);
    assert!(store.end(&second[0], Verdict::Delivered).await);
    assert_eq!(store.states(DeliveryState::Delivered).await, 1);
    assert!(store.claimed().await.0.is_empty());
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

async fn a_hundred_thousand_events_are_claimed_by_an_index(config: config::Database) {
    let store = open(config).await;
    // Two events of each payment, the later one with the smaller id.
    let rows = "'msg_' || CAST(200000 - n AS TEXT), 'p' || CAST(n / 2 AS TEXT), n % 2, n";
    store.insert_waiting(100_000, rows).await;
    store.execute("ANALYZE outbox".to_owned()).await;
    let sql = DUE
        .replace("$1", "200000")
        .replace("$2", "8")
        .replace("$3", "900000");
    let is_postgres = store.database.is_postgres();
    let explain = if is_postgres {
        "EXPLAIN "
    } else {
        "EXPLAIN QUERY PLAN "
    };
    let explain = Query::new(AssertSqlSafe(format!("{explain}{sql}")), Vec::new());
    let plan = store.database.read(async move |session| {
        let column = if is_postgres { 0 } else { 3 };
        session
            .rows_of(explain, |row| row.try_get::<String>(column))
            .await
    });
    let plan = plan.await.unwrap().join("\n");
    assert!(
        plan.contains("outbox_due") && plan.contains("outbox_of_payment"),
        "{plan}"
    );
    assert!(
        !plan.contains("Seq Scan") && !plan.contains("TEMP B-TREE"),
        "{plan}"
    );

    let mut payments = BTreeSet::new();
    for _ in 0..50 {
        let claimed = store.claim(8, TERM).await.unwrap();
        assert_eq!(claimed.len(), 8);
        for event in claimed {
            assert_eq!(event.event.position, 0);
            assert!(payments.insert(event.event.transaction_id.clone()));
            assert!(store.end(&event, Verdict::TryAgain(HOUR)).await);
        }
    }
    assert_eq!(store.counts().await.unwrap().waiting, 100_000);
    // Pages of the list, until the end of one payment's.
    let listed = store.list(Filter::default()).await.unwrap();
    assert!(listed.more);
    let before = Filter {
        before: Some(listed.deliveries[99].id.clone()),
        ..Filter::default()
    };
    let next = store.list(before).await.unwrap();
    assert!(next.deliveries[0].id < listed.deliveries[99].id);
}

/// Two instances look for events at the same time.
async fn each_event_is_claimed_by_one_instance(config: config::Database) {
    let store = open(config).await;
    let rows = "'msg_' || CAST(n AS TEXT), CAST(n AS TEXT), 0, 0";
    store.insert_waiting(200, rows).await;
    let mut claiming = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let store = store.clone();
        claiming.spawn(async move {
            let mut own = Vec::new();
            while store.is_any_due().await.unwrap() {
                own.extend(store.claim(8, TERM).await.unwrap());
            }
            own
        });
    }
    let claimed = claiming.join_all().await.into_iter().flatten();
    let mut claimed: Vec<_> = claimed.map(|claimed| claimed.event.id).collect();
    assert_eq!(claimed.len(), 200);
    claimed.sort();
    claimed.dedup();
    assert_eq!(claimed.len(), 200);
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
