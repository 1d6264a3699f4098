//! What the ledger holds everyone to, on each database: leases, days and crowds, for which a test over
//! HTTP would have to wait.

use axum::http::HeaderMap;
use tempfile::TempDir;
use tender_postgres::Server;
use tender_protocol::{CreatePayment, Record, TokenCode};
use tokio::task::JoinSet;

use super::*;
use crate::attempts::IDEMPOTENCY_KEY;
use crate::purchase::Purchase;

const DAY: Millis = 24 * 60 * 60 * 1000;
const MINUTE: Millis = 60_000;

/// Each of these tests, on each database.
macro_rules! on_each_database {
    ($($test:ident)*) => {
        mod sqlite {
            $(
                #[tokio::test]
                async fn $test() {
                    super::$test(crate::config::Database::Memory).await;
                }
            )*
        }

        mod postgres {
            $(
                #[tokio::test]
                async fn $test() {
                    super::$test(super::postgres_database()).await;
                }
            )*
        }
    };
}

on_each_database! {
    a_key_and_an_order_find_their_attempt
    an_order_is_its_invoice_number
    a_request_that_waited_gives_way_to_a_later_choice
    an_answer_is_kept_for_a_day
    what_can_still_be_paid_is_kept
    it_is_pruned_in_batches_and_not_under_a_lease
    of_a_crowd_one_begins
    of_a_crowd_one_takes_over
    whoever_was_overtaken_writes_nothing
    a_lease_that_is_used_goes_on
    a_payment_is_one_attempts
    a_payment_that_the_service_gives_twice_is_the_later_attempts
    those_who_waited_get_the_failure
    a_refusal_frees_the_key_and_the_order
    nothing_is_believed_before_it_has_settled
    all_instances_share_a_secret
}

fn postgres_database() -> config::Database {
    let address = Server::shared().new_database().unwrap();
    address.parse().unwrap()
}

async fn ledger(database: &config::Database) -> Ledger {
    // No lease ends by itself in a test.
    with_leases_of(Duration::from_mins(1), database).await
}

async fn with_leases_of(lease: Duration, database: &config::Database) -> Ledger {
    let terms = Terms {
        call: lease / 2,
        settle: Duration::from_secs(5),
        margin: lease / 2,
    };
    Ledger::open(database, terms).await.unwrap()
}

/// A wish to pay an invoice in a token, under a key, or by an order that can be paid for so long.
fn wish(key: Option<&str>, invoice: &str, token: &str, payable: Option<Millis>) -> Attempt {
    let payment = CreatePayment {
        token: TokenCode::from("btc"),
        quantity: "1".parse().unwrap(),
        payment_token: TokenCode::from(token),
        invoice_number: invoice.to_owned(),
        purchase_email: None,
        purchase_name: None,
        item_number: None,
    };
    let mut headers = HeaderMap::new();
    if let Some(key) = key {
        headers.insert(IDEMPOTENCY_KEY, key.parse().unwrap());
    }
    let key = IdempotencyKey::from_headers(&headers).unwrap();
    let signed = payable.map(|payable| Duration::from_millis(payable.unsigned_abs()));
    Attempt::new(key, Purchase { payment, signed })
}

fn keyed(key: &str, invoice: &str) -> Attempt {
    wish(Some(key), invoice, "btc", None)
}

fn signed(invoice: &str, token: &str) -> Attempt {
    wish(None, invoice, token, Some(0))
}

fn created(transaction_id: &str) -> Created {
    let json = format!(
        r#"{{"transactionId":"{transaction_id}","token":"BTC","paymentToken":"BTC","quantity":1.10,
            "quantityPay":1e-8,"statusId":"1","statusText":"Created","wallet":"w"}}"#
    );
    let record = Record::parse(&json, "a payment record").unwrap();
    Created::try_from(record).unwrap()
}

fn answered(transaction_id: &str) -> Outcome {
    Outcome::Stage(Stage::Answered(created(transaction_id)))
}

fn lost() -> Outcome {
    Outcome::Failed {
        code: ProblemCode::ServiceTimeout,
        nothing_happened: false,
    }
}

async fn begin(ledger: &Ledger, attempt: &Attempt) -> Begun {
    let arrived = ledger.clock().await.unwrap().now;
    ledger.begin(attempt, arrived).await.unwrap()
}

#[track_caller]
fn mine(begun: Begun) -> Lease {
    match begun {
        Begun::Mine(lease) => lease,
        other => panic!("{}", named(&other)),
    }
}

fn named(begun: &Begun) -> &'static str {
    match begun {
        Begun::Answered(_) => "answered",
        Begun::Ended => "ended",
        Begun::Busy(_) => "busy",
        Begun::Mine(_) => "mine",
        Begun::Occupied(_) => "occupied",
    }
}

/// The payment of an attempt that was answered.
#[track_caller]
fn answer(begun: Begun) -> String {
    match begun {
        Begun::Answered(created) => created.transaction_id,
        other => panic!("{}", named(&other)),
    }
}

async fn answer_with(ledger: &Ledger, attempt: &Attempt, transaction_id: &str) {
    let lease = mine(begin(ledger, attempt).await);
    let outcome = answered(transaction_id);
    ledger.settle(&lease, &outcome).await.unwrap();
}

async fn a_key_and_an_order_find_their_attempt(database: config::Database) {
    let ledger = ledger(&database).await;
    let both = wish(Some("key"), "I", "btc", Some(0));
    answer_with(&ledger, &both, "t").await;
    let record = |begun| match begun {
        Begun::Answered(created) => serde_json::to_string(&created.record).unwrap(),
        other => panic!("{}", named(&other)),
    };
    let whole = serde_json::to_string(&created("t").record).unwrap();
    assert!(whole.contains("1.10") && whole.contains("1e-8"));
    for attempt in [
        &both,
        &signed("I", "btc"),
        &wish(Some("other"), "I", "btc", Some(0)),
    ] {
        assert_eq!(record(begin(&ledger, attempt).await), whole);
    }
    // Each key that found it is its name from now on.
    for key in ["key", "other"] {
        let another = wish(Some(key), "I", "trx", Some(0));
        let refused = ledger.begin(&another, 0).await;
        assert!(matches!(refused, Err(BeginError::Mismatch)), "{key}");
    }
    assert!(
        mine(begin(&ledger, &keyed("third", "I")).await)
            .entry
            .id
            .len()
            == 32
    );
}

async fn an_order_is_its_invoice_number(database: config::Database) {
    let ledger = ledger(&database).await;
    answer_with(&ledger, &signed("I", "btc"), "t").await;
    let begun = begin(&ledger, &signed("I", "trx")).await;
    let Begun::Occupied(lease) = begun else {
        panic!("{}", named(&begun));
    };
    // Meanwhile everyone waits, but those who know the answer.
    assert_eq!(named(&begin(&ledger, &signed("I", "bnb")).await), "busy");
    let cancelling = Stage::Cancelling(created("t"));
    let mut lease = lease;
    ledger.advance(&mut lease, cancelling).await.unwrap();
    assert_eq!(named(&begin(&ledger, &signed("I", "btc")).await), "busy");
    let ended = Outcome::Stage(Stage::Ended(Some("t".to_owned())));
    ledger.settle(&lease, &ended).await.unwrap();
    answer_with(&ledger, &signed("I", "trx"), "u").await;
    answer_with(&ledger, &signed("J", "trx"), "v").await;
    assert_eq!(answer(begin(&ledger, &signed("I", "trx")).await), "u");
}

async fn a_request_that_waited_gives_way_to_a_later_choice(database: config::Database) {
    let ledger = ledger(&database).await;
    let arrived = ledger.clock().await.unwrap().now - 1;
    answer_with(&ledger, &signed("I", "trx"), "t").await;
    let late = wish(Some("key"), "I", "btc", Some(0));
    assert_eq!(named(&ledger.begin(&late, arrived).await.unwrap()), "ended");
    // Another copy of it, which arrives after all, is the same request still.
    assert_eq!(named(&begin(&ledger, &late).await), "ended");
    let begun = ledger.begin(&signed("I", "trx"), arrived).await.unwrap();
    assert_eq!(answer(begun), "t");
}

async fn an_answer_is_kept_for_a_day(database: config::Database) {
    let ledger = ledger(&database).await;
    answer_with(&ledger, &keyed("key", "I"), "t").await;
    let now = ledger.clock().await.unwrap().now;
    assert_eq!(ledger.prune_batch(now + DAY - MINUTE, 10).await.unwrap(), 0);
    assert_eq!(answer(begin(&ledger, &keyed("key", "I")).await), "t");
    assert_eq!(ledger.prune_batch(now + DAY + MINUTE, 10).await.unwrap(), 1);
    // Its key is free again.
    assert!(!mine(begin(&ledger, &keyed("key", "J")).await).in_doubt);
}

async fn what_can_still_be_paid_is_kept(database: config::Database) {
    let ledger = ledger(&database).await;
    let now = ledger.clock().await.unwrap().now;
    let payable_until = |day| wish(None, "I", "btc", Some(now + day * DAY));
    answer_with(&ledger, &payable_until(3), "t").await;
    assert_eq!(ledger.prune_batch(now + 2 * DAY, 10).await.unwrap(), 0);
    // Signed anew, it can be paid for longer; an older copy takes nothing away.
    for day in [9, 3] {
        assert_eq!(answer(begin(&ledger, &payable_until(day)).await), "t");
    }
    assert_eq!(ledger.prune_batch(now + 8 * DAY, 10).await.unwrap(), 0);
    // By whatever name it is found.
    for day in [9, 19] {
        let named = wish(Some("key"), "I", "btc", Some(now + day * DAY));
        assert_eq!(answer(begin(&ledger, &named).await), "t");
    }
    assert_eq!(ledger.prune_batch(now + 18 * DAY, 10).await.unwrap(), 0);
    assert_eq!(ledger.prune_batch(now + 20 * DAY, 10).await.unwrap(), 1);
}

async fn it_is_pruned_in_batches_and_not_under_a_lease(database: config::Database) {
    let ledger = ledger(&database).await;
    for number in 0..5 {
        let name = format!("{number}");
        answer_with(&ledger, &keyed(&name, "I"), &name).await;
    }
    let now = ledger.clock().await.unwrap().now;
    let late = now + 2 * DAY;
    let held = sqlx::query("UPDATE attempts SET lease_until = $1 WHERE transaction_id = '0'");
    held.bind(late + 1).execute(ledger.pool()).await.unwrap();
    for pruned in [3, 1, 0] {
        assert_eq!(ledger.prune_batch(late, 3).await.unwrap(), pruned);
    }
    assert_eq!(ledger.prune().await.unwrap(), 0);
}

/// How many of 12 concurrent requests stand where.
async fn crowd(ledgers: [Ledger; 2], attempt: fn(usize) -> Attempt) -> (usize, usize) {
    let ledgers = ledgers.map(std::sync::Arc::new);
    let mut crowd = JoinSet::new();
    for number in 0..12 {
        let ledger = std::sync::Arc::clone(&ledgers[number % 2]);
        crowd.spawn(async move { begin(&ledger, &attempt(number)).await });
    }
    let begun = crowd.join_all().await;
    let count = |name| begun.iter().filter(|begun| named(begun) == name).count();
    (count("mine"), count("busy"))
}

/// Two instances; a database in memory has but one.
async fn two(database: &config::Database, lease: Duration) -> ([Ledger; 2], TempDir) {
    let directory = TempDir::new().unwrap();
    let database = match database {
        config::Database::Memory => config::Database::File(directory.path().join("ledger.db")),
        other => other.clone(),
    };
    let (one, other) = tokio::join!(
        with_leases_of(lease, &database),
        with_leases_of(lease, &database)
    );
    ([one, other], directory)
}

async fn of_a_crowd_one_begins(database: config::Database) {
    let (ledgers, _directory) = two(&database, Duration::from_mins(1)).await;
    assert_eq!(crowd(ledgers, |_| signed("I", "btc")).await, (1, 11));
    let (ledgers, _directory) = two(&database, Duration::from_mins(1)).await;
    assert_eq!(crowd(ledgers, |_| keyed("key", "I")).await, (1, 11));
    // Of different tokens, too.
    let (ledgers, _directory) = two(&database, Duration::from_mins(1)).await;
    let tokens = |number| signed("J", ["btc", "trx", "bnb"][number % 3]);
    let (mine, busy) = crowd(ledgers, tokens).await;
    assert!(mine == 1 && busy >= 3, "{mine} {busy}");
}

async fn of_a_crowd_one_takes_over(database: config::Database) {
    let (ledgers, _directory) = two(&database, Duration::from_millis(1500)).await;
    drop(mine(begin(&ledgers[0], &signed("I", "btc")).await));
    assert_eq!(
        named(&begin(&ledgers[1], &signed("I", "btc")).await),
        "busy"
    );
    tokio::time::sleep(Duration::from_millis(1550)).await;
    assert_eq!(crowd(ledgers, |_| signed("I", "btc")).await, (1, 11));
}

async fn whoever_was_overtaken_writes_nothing(database: config::Database) {
    let ledger = with_leases_of(Duration::from_millis(100), &database).await;
    let mut slow = mine(begin(&ledger, &signed("I", "btc")).await);
    tokio::time::sleep(Duration::from_millis(150)).await;
    let mut quick = mine(begin(&ledger, &signed("I", "btc")).await);
    assert!(quick.in_doubt && !slow.in_doubt);
    let overtaken = |written| assert!(matches!(written, Err(WriteError::LeaseLost)));
    overtaken(ledger.renew(&mut slow).await);
    overtaken(ledger.before_asking(&mut slow).await);
    overtaken(ledger.settle(&slow, &answered("s")).await);
    overtaken(ledger.settle(&slow, &lost()).await);
    ledger.before_asking(&mut quick).await.unwrap();
    ledger.settle(&quick, &answered("q")).await.unwrap();
    overtaken(ledger.settle(&slow, &answered("s")).await);
    assert_eq!(answer(begin(&ledger, &signed("I", "btc")).await), "q");
}

async fn a_lease_that_is_used_goes_on(database: config::Database) {
    let ledger = with_leases_of(Duration::from_millis(1200), &database).await;
    let mut lease = mine(begin(&ledger, &signed("I", "btc")).await);
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_millis(600)).await;
        ledger.renew(&mut lease).await.unwrap();
        assert_eq!(named(&begin(&ledger, &signed("I", "btc")).await), "busy");
    }
    // One that is over, and that nobody took, still serves.
    tokio::time::sleep(Duration::from_millis(1250)).await;
    ledger.settle(&lease, &answered("t")).await.unwrap();
}

async fn a_payment_is_one_attempts(database: config::Database) {
    let ledger = ledger(&database).await;
    let mut one = mine(begin(&ledger, &keyed("one", "I")).await);
    let mut other = mine(begin(&ledger, &keyed("other", "I")).await);
    let claim = Stage::Answered(created("t"));
    ledger.advance(&mut one, claim.clone()).await.unwrap();
    let refused = ledger.advance(&mut other, claim).await;
    assert!(matches!(refused, Err(WriteError::Claimed)));
    ledger
        .advance(&mut other, Stage::Answered(created("u")))
        .await
        .unwrap();
    assert!(ledger.has("t").await.unwrap() && !ledger.has("v").await.unwrap());
}

async fn a_payment_that_the_service_gives_twice_is_the_later_attempts(database: config::Database) {
    let ledger = ledger(&database).await;
    for key in ["one", "other"] {
        answer_with(&ledger, &keyed(key, "I"), "t").await;
    }
    for key in ["one", "other"] {
        assert_eq!(answer(begin(&ledger, &keyed(key, "I")).await), "t");
    }
    let Cancelling::Mine(lease, _) = ledger.begin_cancel("t").await.unwrap() else {
        panic!("the payment is an attempt's");
    };
    assert_eq!(lease.entry.id, id_of(&ledger, "other").await);
}

async fn id_of(ledger: &Ledger, key: &str) -> String {
    let id = sqlx::query_scalar("SELECT attempt_id FROM attempt_keys WHERE name = $1");
    id.bind(key.to_owned())
        .fetch_one(ledger.pool())
        .await
        .unwrap()
}

async fn those_who_waited_get_the_failure(database: config::Database) {
    let ledger = ledger(&database).await;
    let lease = mine(begin(&ledger, &signed("I", "btc")).await);
    let Begun::Busy(watched) = begin(&ledger, &signed("I", "btc")).await else {
        panic!("someone is at work");
    };
    assert_eq!(ledger.failure(&watched).await.unwrap(), None);
    ledger.settle(&lease, &lost()).await.unwrap();
    let failure = Some(ProblemCode::ServiceTimeout);
    assert_eq!(ledger.failure(&watched).await.unwrap(), failure);
    // Who comes later tries again, and what comes of that is another matter.
    let again = mine(begin(&ledger, &signed("I", "btc")).await);
    assert!(again.in_doubt);
    assert_eq!(ledger.failure(&watched).await.unwrap(), None);
    ledger.settle(&again, &answered("t")).await.unwrap();
    assert_eq!(ledger.failure(&watched).await.unwrap(), None);
}

async fn a_refusal_frees_the_key_and_the_order(database: config::Database) {
    let ledger = ledger(&database).await;
    let refused = Outcome::Failed {
        code: ProblemCode::ServiceRefused,
        nothing_happened: true,
    };
    let both = wish(Some("key"), "I", "btc", Some(0));
    let lease = mine(begin(&ledger, &both).await);
    ledger.settle(&lease, &refused).await.unwrap();
    let another = wish(Some("key"), "I", "trx", Some(0));
    let lease = mine(begin(&ledger, &another).await);
    assert!(!lease.in_doubt);
    ledger.settle(&lease, &lost()).await.unwrap();
    assert!(matches!(
        ledger.begin(&both, 0).await,
        Err(BeginError::Mismatch)
    ));
    // A refusal says nothing of the call before.
    let lease = mine(begin(&ledger, &another).await);
    ledger.settle(&lease, &refused).await.unwrap();
    assert!(mine(begin(&ledger, &another).await).in_doubt);
}

async fn nothing_is_believed_before_it_has_settled(database: config::Database) {
    let ledger = ledger(&database).await;
    let until_settled = |lease: &Lease| {
        let wait = lease
            .settles_at()
            .saturating_duration_since(std::time::Instant::now());
        wait.as_secs_f32().round()
    };
    let mut lease = mine(begin(&ledger, &signed("I", "btc")).await);
    // Half a minute for the call, five seconds for what may come of it.
    assert!((until_settled(&lease) - 35.0).abs() < 1.5);
    ledger.before_asking(&mut lease).await.unwrap();
    ledger.settle(&lease, &lost()).await.unwrap();
    let mut lease = mine(begin(&ledger, &signed("I", "btc")).await);
    assert!((until_settled(&lease) - 5.0).abs() < 1.5);
    // Asked once more, the wait begins anew.
    ledger.before_asking(&mut lease).await.unwrap();
    assert!((until_settled(&lease) - 35.0).abs() < 1.5);
}

async fn all_instances_share_a_secret(database: config::Database) {
    let (ledgers, _directory) = two(&database, Duration::from_mins(1)).await;
    let [one, other] = &ledgers;
    let (first, second) = tokio::join!(one.secret("a"), other.secret("a"));
    let secret = first.unwrap();
    assert_eq!(secret, second.unwrap());
    assert_eq!(secret.len(), 64);
    assert_ne!(secret, one.secret("b").await.unwrap());
}

#[tokio::test]
async fn instances_that_start_at_once_wait_for_each_other() {
    let directory = TempDir::new().unwrap();
    let file = config::Database::File(directory.path().join("ledger.db"));
    for database in [file, postgres_database()] {
        let mut starting = JoinSet::new();
        for _ in 0..6 {
            let database = database.clone();
            starting.spawn(async move { ledger(&database).await });
        }
        let ledgers = starting.join_all().await;
        answer_with(&ledgers[0], &keyed("key", "I"), "t").await;
        for ledger in &ledgers {
            assert_eq!(answer(begin(ledger, &keyed("key", "I")).await), "t");
        }
    }
}

#[cfg(unix)]
#[tokio::test]
async fn the_file_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;

    let directory = TempDir::new().unwrap();
    let path = directory.path().join("ledger.db");
    let ledger = ledger(&config::Database::File(path)).await;
    answer_with(&ledger, &keyed("key", "I"), "t").await;
    let files: Vec<_> = std::fs::read_dir(directory.path())
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert!(files.len() > 1, "{files:?}");
    for file in files {
        assert_eq!(
            file.metadata().unwrap().permissions().mode() & 0o777,
            0o600,
            "{file:?}"
        );
    }
}
