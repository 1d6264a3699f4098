//! How long attempts are kept.

use tender_protocol::Payment;

use super::*;

on_each_database! {
    the_data_of_a_buyer_is_kept_as_long_as_the_payment
    what_was_never_answered_is_no_longer_being_created
    what_is_said_of_an_order_stays_without_its_buyer
    what_is_kept_does_not_age_while_the_proxy_is_stopped
    what_forbids_a_payment_is_remembered_as_long_as_its_order
    refused_attempts_leave_nothing
    attempts_of_valid_orders_are_kept
    leased_attempts_are_not_pruned
}

const MINUTE: Millis = 60_000;
const MONTH: Millis = 30 * DAY;
const YEAR: Millis = 365 * DAY;

async fn now(store: &Store) -> Millis {
    store.clock().await.unwrap().now
}

/// Prunes up to ten attempts at this time. Returns how many there were.
async fn pruned(store: &Store, now: Millis) -> u64 {
    store.prune_attempts(now, 10).await.unwrap()
}

async fn the_data_of_a_buyer_is_kept_as_long_as_the_payment(database: config::Database) {
    let store = open(&database).await;
    let keyed = attempt(Some("key"), "I", None);
    create(&store, &keyed, "t").await;
    let now = now(&store).await;
    assert_eq!(pruned(&store, now + MONTH - MINUTE).await, 0);
    assert_eq!(shown(&store, &keyed).await, "t");
    assert_eq!(pruned(&store, now + MONTH + MINUTE).await, 1);
    let past = store.attempt_of_payment("t").await.unwrap().unwrap();
    assert!(past.request.is_none() && past.record.is_none());
    assert_eq!(pruned(&store, now + YEAR - MINUTE).await, 0);
    assert_eq!(pruned(&store, now + 2 * YEAR).await, 1);
    // Its key can be used again.
    let other = attempt(Some("key"), "J", None);
    assert!(held(&store, &other).await.first_action().is_some());
}

/// Nothing is searched for without its request.
async fn what_was_never_answered_is_no_longer_being_created(database: config::Database) {
    let store = open(&database).await;
    held(&store, &attempt(Some("key"), "I", None)).await;
    assert!(store.is_requested("I").await.unwrap());
    // Until the lease has ended.
    store
        .database
        .execute("UPDATE attempts SET lease_until = 0")
        .await;
    let later = now(&store).await + MONTH + MINUTE;
    assert_eq!(pruned(&store, later).await, 1);
    assert!(!store.is_requested("I").await.unwrap());
}

/// To the shop, and to a buyer whose order was signed again.
async fn what_is_said_of_an_order_stays_without_its_buyer(database: config::Database) {
    const BUYER: &str = "ada@shop.example";
    let store = open(&database).await;
    let order = attempt(None, "I", Some(0));
    create(&store, &order, "t").await;
    list(&store, "Confirming", Meaning::NotMapped).await;
    let said = async || {
        let payments = store.payments_of_invoice("I").await.unwrap();
        let latest = store.latest_change("t").await.unwrap().unwrap();
        let attempt = store.attempt_of_payment("t").await.unwrap().unwrap();
        let known = [
            latest.record,
            to_json(&attempt.record).unwrap(),
            to_json(&attempt.request).unwrap(),
        ];
        assert_eq!(shown(&store, &order).await, "t");
        (format!("{payments:?}"), latest.id, known)
    };
    let (payment, event, known) = said().await;
    let later = now(&store).await + MONTH + MINUTE;
    assert_eq!(pruned(&store, later).await, 1);
    for _ in 0..2 {
        let without = known.clone().map(|json| {
            assert!(json.contains(BUYER), "{json}");
            Payment::without_buyer(&json)
        });
        assert_eq!(said().await, (payment.clone(), event, without));
        store.prune().await.unwrap();
    }
    // Whatever the list shows of it afterwards.
    list(&store, "Paid", Meaning::Paid).await;
    let latest = store.latest_change("t").await.unwrap().unwrap();
    assert_eq!(latest.facts.fate, Some(PaymentFate::Paid));
    assert!(!latest.record.contains(BUYER), "{}", latest.record);
    // Which is a new fact, from which the order's memory counts.
    let confirmed = query!("UPDATE payments SET confirmed_at = $1", later + 2 * DAY);
    store.database.write(confirmed).await.unwrap();
    assert_eq!(pruned(&store, later + YEAR + DAY).await, 0);
    assert_eq!(pruned(&store, later + YEAR + 2 * DAY + MINUTE).await, 1);
    assert!(store.latest_change("t").await.unwrap().is_none());
}

async fn what_is_kept_does_not_age_while_the_proxy_is_stopped(database: config::Database) {
    let store = open(&database).await;
    store.database.count_time().await.unwrap();
    create(&store, &attempt(None, "I", Some(0)), "t").await;
    let passes = async |table: &str, column: &str| {
        let sql = format!("UPDATE {table} SET {column} = {column} - {}", 20 * DAY);
        let passes = sqlx::AssertSqlSafe(sql);
        assert_eq!(store.database.execute(passes).await, 1);
    };
    let is_kept = async || {
        // First what the attempt has of the buyer, then the payment.
        for _ in 0..2 {
            store.prune().await.unwrap();
        }
        let latest = store.latest_change("t").await.unwrap().unwrap();
        latest.record.contains("ada@shop.example")
    };
    // Twice, longer than payments are kept in all.
    for _ in 0..2 {
        for (table, column) in [
            ("attempts", "kept_until"),
            ("payments", "kept_until"),
            ("age", "counted_at"),
        ] {
            passes(table, column).await;
        }
        store.database.count_time().await.unwrap();
        assert!(is_kept().await);
    }
    // Orders are signed for a time that goes on.
    let order = attempt(None, "I", Some(now(&store).await + MINUTE));
    assert_eq!(shown(&store, &order).await, "t");
    for _ in 0..2 {
        assert!(is_kept().await);
        for table in ["attempts", "payments"] {
            passes(table, "kept_until").await;
        }
    }
    assert!(!is_kept().await);
}

/// Money that was seen for a cancelled payment, or may have been sent for a closed one.
async fn what_forbids_a_payment_is_remembered_as_long_as_its_order(database: config::Database) {
    for (is_marked, status, meaning, expected) in [
        (false, "Paid", Meaning::Paid, Refusal::Progressed),
        (false, "Partly", Meaning::Underpaid, Refusal::Progressed),
        (true, "Expired", Meaning::Closed, Refusal::Marked),
    ] {
        let store = open(&database).await;
        let order = attempt(None, "I", Some(0));
        create(&store, &order, "t").await;
        if is_marked {
            store.mark_sent("t", &MarkDigest::of("s")).await.unwrap();
        } else {
            let (goal, mut held) = cancelling(&store, Requester::Merchant).await;
            for evidence in [
                Evidence::Listed(Listed::Unchanged),
                Evidence::Cancelled(Cancelled::Documented),
                Evidence::Confirmed(Listed::Unchanged),
            ] {
                let decided = store.decide(&mut held, &goal, &News::of(evidence)).await;
                decided.unwrap();
            }
        }
        list(&store, status, meaning).await;
        let later = now(&store).await + MONTH + MINUTE;
        assert_eq!(pruned(&store, later).await, 1);

        let replace = Goal::Replace(Some("t".to_owned()));
        let begun = match meaning {
            Meaning::Closed => store.begin_for_payment("t", replace).await.unwrap(),
            _ => Some(begin(&store, &order).await),
        };
        let refused = Answer::Refused(expected);
        assert!(
            matches!(begun, Some(Begun::Answered(answer, _)) if answer == refused),
            "{status}"
        );
        // Nothing is left of it later.
        assert_eq!(pruned(&store, later + YEAR + DAY).await, 1);
        for table in [
            "SELECT COUNT(*) FROM order_money",
            "SELECT COUNT(*) FROM payments",
            "SELECT COUNT(*) FROM sent_marks",
        ] {
            assert_eq!(store.database.number(query!(table)).await.unwrap(), 0);
        }
        store.database.execute("DELETE FROM attempts").await;
    }
}

async fn refused_attempts_leave_nothing(database: config::Database) {
    let store = open(&database).await;
    let now = now(&store).await;
    for invoice in ["I", "J", "K"] {
        let mut held = held(&store, &attempt(None, invoice, Some(0))).await;
        let nothing = News::of(Evidence::Created(Created::Nothing));
        let decided = store.decide(&mut held, &Goal::Create, &nothing);
        decided.await.unwrap();
    }
    assert_eq!(pruned(&store, now + DAY - MINUTE).await, 0);
    for pruned in [2, 1, 0] {
        let late = now + DAY + MINUTE;
        assert_eq!(store.prune_attempts(late, 2).await.unwrap(), pruned);
    }
    let count = query!("SELECT COUNT(*) FROM attempts");
    assert_eq!(store.database.number(count).await.unwrap(), 0);
}

async fn attempts_of_valid_orders_are_kept(database: config::Database) {
    let store = open(&database).await;
    let now = now(&store).await;
    let payable_until = |day| attempt(None, "I", Some(now + day * DAY));
    create(&store, &payable_until(33), "t").await;
    assert_eq!(pruned(&store, now + 32 * DAY).await, 0);
    // The order was signed again and expires later; an older copy does not shorten the retention.
    for day in [39, 33] {
        assert_eq!(shown(&store, &payable_until(day)).await, "t");
    }
    assert_eq!(pruned(&store, now + 38 * DAY).await, 0);
    // Also if the attempt is found by a key.
    for day in [39, 49] {
        let keyed = attempt(Some("key"), "I", Some(now + day * DAY));
        assert_eq!(shown(&store, &keyed).await, "t");
    }
    assert_eq!(pruned(&store, now + 48 * DAY).await, 0);
    assert_eq!(pruned(&store, now + 50 * DAY).await, 1);
}

async fn leased_attempts_are_not_pruned(database: config::Database) {
    let store = open(&database).await;
    for number in 0..5 {
        let name = format!("{number}");
        create(&store, &attempt(Some(&name), "I", None), &name).await;
    }
    let late = now(&store).await + 2 * MONTH;
    let hold = query!(
        "UPDATE attempts SET lease_until = $1 WHERE transaction_id = '0'",
        late + 1
    );
    store.database.write(hold).await.unwrap();
    for pruned in [3, 1, 0] {
        assert_eq!(store.prune_attempts(late, 3).await.unwrap(), pruned);
    }
    store.prune().await.unwrap();
    let count = query!("SELECT COUNT(*) FROM attempts");
    assert_eq!(store.database.number(count).await.unwrap(), 5);
}
