//! Tests that no two transactions wait for each other in `PostgreSQL`: a transaction that waits for a row holds no row that
//! comes later in the order of locks.

use std::pin::Pin;

use sqlx::AssertSqlSafe;

use super::*;
use crate::store::database::{Query, Result};
use crate::store::testing::postgres;

/// Its name, stored rows, the row that is held, those that must be free meanwhile, and what waits.
type Case<'a> = (&'a str, Vec<String>, &'a str, Vec<&'a str>, Work);

type Work = fn(Store) -> Pin<Box<dyn Future<Output = Result<()>> + Send>>;

fn prune(store: Store) -> Pin<Box<dyn Future<Output = Result<()>> + Send>> {
    Box::pin(async move { store.prune().await })
}

/// A buyer opens a link that expires later.
fn open_link(store: Store) -> Pin<Box<dyn Future<Output = Result<()>> + Send>> {
    Box::pin(async move {
        let later = attempt(None, "I", Some(Millis::MAX));
        let order = later.order.as_ref().unwrap();
        store.attempt_of_order(order).await.map(drop)
    })
}

/// Waits until a transaction waits for a lock.
async fn until_waiting(store: &Store) {
    const WAITING: &str = "SELECT COUNT(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'";
    while store.database.number(query!(WAITING)).await.unwrap() == 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn who_waits_for_a_row_holds_no_later_one() {
    // The attempts of an order, which are stored in the other order.
    let attempts = |erased: u8, kept_until: Millis| {
        let order = attempt(None, "I", Some(0));
        let order = &order.order.as_ref().unwrap().id;
        let row = |id| {
            format!(
                "('{id}', '{order}', 'f', '', 0, 'ended', 1, 0, 0, 0, 't{id}', 0, {kept_until}, {erased})"
            )
        };
        format!(
            "INSERT INTO attempts (id, order_id, fingerprint, request, begun_at, stage, fence, lease_until, called_at,
                settles_at, transaction_id, written_at, kept_until, erased) VALUES {}, {}",
            row(2),
            row(1)
        )
    };
    let notification =
        "INSERT INTO notifications (invoice_number, first_at, times) VALUES ('I', 0, 1)";
    let money = "INSERT INTO order_money (transaction_id, order_id, money, released) VALUES ('t1', 'o', 'seen', 0)";
    let mark = "INSERT INTO sent_marks (transaction_id, digest, written_at) VALUES ('t1', 'd', 0)";
    let row = |table, condition| format!("SELECT 1 FROM {table} WHERE {condition} FOR UPDATE");
    let first = row("attempts", "id = '1'");
    let second = row("attempts", "id = '2'");
    let [polling, notifications, order_money, marks] =
        ["polling", "notifications", "order_money", "sent_marks"].map(|table| row(table, "1 = 1"));
    #[rustfmt::skip]
    let cases: [Case<'_>; 4] = [
        ("erase", vec![attempts(0, 0)], &first, vec![&second, &polling], prune),
        ("forget", vec![attempts(1, 0), money.to_owned(), mark.to_owned()], &first,
            vec![&second, &polling, &order_money, &marks], prune),
        ("extend", vec![attempts(1, 1)], &first, vec![&second], open_link),
        ("notifications", vec![notification.to_owned()], &notifications, vec![&polling], prune),
    ];
    for (name, setup, held, free, work) in cases {
        let store = open(&postgres()).await;
        for rows in setup {
            store.database.execute(AssertSqlSafe(rows)).await;
        }
        let lock = |sql: String| Query::new(AssertSqlSafe(sql), []);
        let mut holder = store.database.begin().await.unwrap();
        assert_eq!(
            holder.execute(lock(held.to_owned())).await.unwrap(),
            1,
            "{name}"
        );
        let working = tokio::spawn(work(store.clone()));
        until_waiting(&store).await;
        for row in free {
            let mut other = store.database.begin().await.unwrap();
            let locked = other.execute(lock(format!("{row} NOWAIT"))).await;
            assert_eq!(locked.ok(), Some(1), "{name}: {row}");
        }
        holder.commit().await.unwrap();
        working.await.unwrap().unwrap();
    }
}

/// It was created elsewhere, and is being cancelled here.
#[tokio::test]
async fn a_payment_that_another_attempt_gets_meanwhile_contradicts() {
    let store = open(&postgres()).await;
    let mut held = held(&store, &attempt(Some("key"), "I", None)).await;
    let mut other = store.database.begin().await.unwrap();
    let foreign = query!(statements::INSERT_FOREIGN, "other", "t", "{}", 0, 0);
    other.execute(foreign).await.unwrap();
    let deciding = {
        let store = store.clone();
        tokio::spawn(async move {
            let created = Evidence::Created(Created::Payment("t".to_owned()));
            let created = news(created, Some(record("t", "Created")), 0);
            store.decide(&mut held, &Goal::Create, &created).await
        })
    };
    until_waiting(&store).await;
    other.commit().await.unwrap();
    let refused = Action::Answer(Answer::Refused(Refusal::Contradictory));
    assert_eq!(deciding.await.unwrap().unwrap(), refused);
}

/// Two requests cancel a payment that was created elsewhere, and the other one deletes its row when it ends.
#[tokio::test]
async fn a_foreign_payment_is_not_deleted_before_it_is_read() {
    let store = open(&postgres()).await;
    let insert = |id: &str| query!(statements::INSERT_FOREIGN, id, "t", "{}", 0, 0);
    store.database.write(insert("first")).await.unwrap();
    let mut second = store.database.begin().await.unwrap();
    second.execute(insert("second")).await.unwrap();
    let mut first = store.database.begin().await.unwrap();
    let lock = query!("SELECT 1 FROM attempts WHERE id = 'first' FOR UPDATE NOWAIT");
    first.execute(lock).await.unwrap_err();
    let found = second.row::<StoredAttempt>(query!(statements::BY_TRANSACTION, "t"));
    assert_eq!(found.await.unwrap().unwrap().id, "first");
}
