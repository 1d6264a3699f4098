//! Tests of the attempt store on each database: leases, retention and concurrency, which would take
//! too long over HTTP.

use std::sync::Arc;

use tempfile::TempDir;
use tender_protocol::ledger::Reason;
use tender_protocol::request::SignedOrder;
use tender_protocol::{CreatePayment, Record, TokenCode};
use tokio::task::JoinSet;

use super::*;
use crate::clock::Millis;
use crate::store::lease::Term;
use crate::store::outbox::Outbox;
use crate::store::testing::{in_file, on_each_database, postgres};

mod cost;
mod finding;
mod instances;
mod keeping;
mod leases;
mod past;
mod unresolved;

const DAY: Millis = 24 * 60 * 60 * 1000;
const MONTH: Millis = 30 * DAY;
const MINUTE: Millis = 60_000;

async fn store(database: &config::Database) -> AttemptStore {
    // Long enough that no lease expires during a test.
    with_leases_of(Duration::from_mins(1), database).await
}

async fn with_leases_of(lease: Duration, database: &config::Database) -> AttemptStore {
    let timeouts = Timeouts {
        term: Term {
            call: lease / 2,
            margin: lease / 2,
        },
        settle: Duration::from_secs(5),
        first_poll: Duration::from_secs(5),
        order_memory: Duration::from_hours(365 * 24),
        outbox: Outbox::Off,
    };
    AttemptStore::open(database, timeouts).await.unwrap()
}

/// An attempt to pay an invoice in a token, with a key or with an order that expires after
/// `payable`.
fn attempt_for(
    key: Option<&str>,
    invoice: &str,
    token: &str,
    payable: Option<Millis>,
) -> Arc<Attempt> {
    let payment = CreatePayment {
        token: TokenCode::from("btc"),
        quantity: "1".parse().unwrap(),
        payment_token: TokenCode::from(token),
        invoice_number: invoice.to_owned(),
        purchase_email: None,
        purchase_name: None,
        item_number: None,
    };
    let order = payable.map(|payable| {
        let signed = SignedOrder {
            token: "btc".to_owned(),
            quantity: Some("1".to_owned()),
            invoice_number: invoice.to_owned(),
        };
        Order::new(signed, Duration::from_millis(payable.unsigned_abs()))
    });
    let key = key.map(|key| IdempotencyKey::new(key.to_owned()).unwrap());
    Arc::new(Attempt::new(key, payment, order))
}

fn keyed(key: &str, invoice: &str) -> Arc<Attempt> {
    attempt_for(Some(key), invoice, "btc", None)
}

fn signed(invoice: &str, token: &str) -> Arc<Attempt> {
    attempt_for(None, invoice, token, Some(0))
}

fn created(transaction_id: &str) -> CreatedPayment {
    let json = format!(
        r#"{{"transactionId":"{transaction_id}","token":"BTC","paymentToken":"BTC","quantity":1.10,
            "quantityPay":1e-8,"statusId":"1","statusText":"Created","wallet":"w"}}"#
    );
    let record = Record::parse(&json, "a payment record").unwrap();
    CreatedPayment::try_from(record).unwrap()
}

fn answered(transaction_id: &str) -> Outcome {
    Outcome::Stage(Stage::Created(created(transaction_id)))
}

fn refused() -> Outcome {
    Outcome::Failed {
        code: ProblemCode::ServiceRefused,
        nothing_happened: true,
    }
}

fn lost() -> Outcome {
    Outcome::Failed {
        code: ProblemCode::ServiceTimeout,
        nothing_happened: false,
    }
}

async fn begin(store: &AttemptStore, attempt: &Arc<Attempt>) -> BeginOutcome {
    let arrived = store.clock().await.unwrap().now;
    store.begin(attempt, arrived).await.unwrap()
}

#[track_caller]
fn leased(begun: BeginOutcome) -> Lease {
    match begun {
        BeginOutcome::Leased(lease) => lease,
        other => panic!("{}", kind(&other)),
    }
}

fn kind(begun: &BeginOutcome) -> &'static str {
    match begun {
        BeginOutcome::Created(..) => "created",
        BeginOutcome::Contradictory => "contradictory",
        BeginOutcome::Remembered(_) => "remembered",
        BeginOutcome::Ended => "ended",
        BeginOutcome::InProgress(_) => "in progress",
        BeginOutcome::Leased(_) => "leased",
        BeginOutcome::CancelFirst(_) => "cancel first",
    }
}

/// The transactionId of an attempt that was answered.
#[track_caller]
fn answer(begun: BeginOutcome) -> String {
    match begun {
        BeginOutcome::Created(created, _) => created.transaction_id,
        other => panic!("{}", kind(&other)),
    }
}

async fn answer_with(store: &AttemptStore, attempt: &Arc<Attempt>, transaction_id: &str) {
    let lease = leased(begin(store, attempt).await);
    let outcome = answered(transaction_id);
    store.release(&lease, &outcome).await.unwrap();
}

/// Two instances of the store on one database. SQLite in memory can't be shared, so a file replaces
/// it.
async fn two(database: &config::Database, lease: Duration) -> ([AttemptStore; 2], TempDir) {
    let directory = TempDir::new().unwrap();
    let database = match database {
        config::Database::Memory => in_file(&directory),
        other => other.clone(),
    };
    let (one, other) = tokio::join!(
        with_leases_of(lease, &database),
        with_leases_of(lease, &database)
    );
    ([one, other], directory)
}
