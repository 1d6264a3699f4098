//! Tests of poll cycles and of the stored payments, on a database in memory. The routes are tested
//! over HTTP.

mod cycles;
mod hub;
mod interest;
mod mapping;
mod merchants;
mod pruning;

use std::sync::Arc;
use std::time::Duration;

use axum::response::sse;
use futures_util::StreamExt as _;
use tender_ledger::Meaning;
use tender_protocol::Record;

use super::Tracking;
use crate::clock::{Millis, millis};
use crate::config;
use crate::shared::Shared;
use crate::store::payments::{CycleEnd, Interest, ListedChange, PollCycle, PollState};
use crate::store::{BATCH, Store, database, testing};
use crate::transport::Transports;

const CALL: Duration = Duration::from_millis(400);
/// The tests don't read its content.
const RECORD: &str = "{}";
const SOON: Duration = Duration::from_millis(20);

async fn store() -> Store {
    let mut store = testing::open(&config::Database::Memory).await;
    Arc::make_mut(&mut store.config).upstream.timeout = CALL;
    store
}

/// Adds a payment as if it had been created.
async fn add(store: &Store, transaction_id: &str, first_poll: Duration) {
    let mut store = store.clone();
    Arc::make_mut(&mut store.config).tracking.poll_interval = first_poll;
    store.add_created(transaction_id, RECORD).await;
}

/// The payments that clients watch.
fn watched_at(now: Millis) -> Interest {
    Interest {
        now,
        followed_since: None,
    }
}

fn shared(store: Store) -> Arc<Shared> {
    let transport = Transports::new(&store.config).unwrap().service;
    Arc::new(Shared::new(store, transport))
}

async fn take(store: &Store) -> Option<PollCycle> {
    let (clock, polling) = (store.clock().await.unwrap(), polling(store).await);
    let interest = Interest::default();
    store.begin_cycle(&polling, clock, interest).await.unwrap()
}

async fn polling(store: &Store) -> PollState {
    store.poll_state().await.unwrap()
}

async fn due_in(store: &Store) -> Duration {
    polling(store).await.due_in(store.clock().await.unwrap())
}

async fn end(store: &Store, cycle: &PollCycle, failures: u32) {
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
        listed: Record::parse(record, "a payment record").unwrap(),
        meaning: Meaning::NotMapped,
    }
}
