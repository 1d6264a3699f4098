//! Tests of poll cycles and of the stored payments, on a database in memory. The routes are tested
//! over HTTP.

mod cycles;
mod hub;
mod interest;
mod merchants;
mod pruning;

use std::sync::Arc;
use std::time::Duration;

use axum::response::sse;
use futures_util::StreamExt as _;
use tender_ledger::Meaning;

use super::Tracking;
use crate::clock::{Millis, millis};
use crate::config::{self, Config};
use crate::metrics::Metrics;
use crate::service::Service;
use crate::store::database::Database;
use crate::store::lease::{Term, WriteError};
use crate::store::outbox::Outbox;
use crate::store::payments::{BATCH, Interest, PaymentStore, add_payment};
use crate::store::payments::{CycleEnd, ListedChange, PollCycle, PollState};

const LEASE: Duration = Duration::from_millis(400);
const TERM: Term = Term {
    call: LEASE,
    margin: Duration::ZERO,
};
/// The tests don't read its content.
const RECORD: &str = "{}";
const SOON: Duration = Duration::from_millis(20);

async fn store() -> PaymentStore {
    let database = Database::open(&config::Database::Memory).await.unwrap();
    let outbox = Outbox::Off;
    PaymentStore { database, outbox }
}

async fn execute(store: &PaymentStore, statement: &'static str) {
    store.database.execute(statement, None).await;
}

/// Adds a payment as if it had been created.
async fn add(store: &PaymentStore, transaction_id: &str, interval: Duration) {
    let transaction_id = transaction_id.to_owned();
    let known = store.database.transaction(async move |session| {
        let clock = session.clock().await?;
        let outbox = Outbox::Off;
        add_payment(session, clock, &transaction_id, RECORD, interval, outbox).await
    });
    known.await.unwrap();
}

/// The payments that clients watch.
fn watched_at(now: Millis) -> Interest {
    Interest {
        now,
        followed_since: None,
    }
}

fn config() -> Config {
    let nowhere = "http://127.0.0.1:9";
    Config::new(nowhere, nowhere).unwrap()
}

async fn take(store: &PaymentStore) -> Option<PollCycle> {
    let (clock, polling) = (store.clock().await.unwrap(), polling(store).await);
    let interest = Interest::default();
    store
        .begin_cycle(&polling, clock, TERM, interest)
        .await
        .unwrap()
}

async fn polling(store: &PaymentStore) -> PollState {
    store.poll_state().await.unwrap()
}

async fn due_in(store: &PaymentStore) -> Duration {
    polling(store)
        .await
        .due_in(store.clock().await.unwrap(), TERM)
}

async fn end(store: &PaymentStore, cycle: &PollCycle, failures: u32) {
    let end = CycleEnd {
        failures,
        deep_page: 7,
        pause: Duration::from_hours(1),
        min_interval: SOON,
    };
    store.end_cycle(cycle, &end).await.unwrap();
}

// Records that differ.
const ONE: &str = r#"{"n":1}"#;
const TWO: &str = r#"{"n":2}"#;

fn change(id: &str, record: &str) -> ListedChange {
    ListedChange {
        transaction_id: id.to_owned(),
        record: record.to_owned(),
        meaning: Meaning::NotMapped,
    }
}
