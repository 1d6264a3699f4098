//! Tests of the outbox on each database.

use std::sync::Arc;
use std::time::Duration;

use sqlx::AssertSqlSafe;
use tender_protocol::DeliveryState;

use super::*;
use crate::config;
use crate::store::Store;
use crate::store::database::{Error, Query};
use crate::store::lease::Lease;
use crate::store::testing::{self, on_each_database};

mod claiming;
mod keeping;

const RECORD: &str = r#"{"quantity":1.10}"#;
const CALL: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

async fn open(config: config::Database) -> Store {
    let mut store = testing::open(&config).await;
    let notifications = &mut Arc::make_mut(&mut store.config).notifications;
    notifications.url = Some("http://127.0.0.1:9".parse().unwrap());
    store
}

impl Store {
    /// Adds the attempt that has created a payment.
    async fn created(&self, id: &str) {
        let columns = "id, fingerprint, request, begun_at, stage, fence, lease_until, called_at, \
             settles_at, written_at, kept_until, transaction_id";
        let values = format!("'{id}', 'f', '', 0, 'created', 1, 0, 0, 0, 0, 0, '{id}'");
        let insert = format!("INSERT INTO attempts ({columns}) VALUES ({values})");
        self.database.execute(AssertSqlSafe(insert)).await;
    }

    async fn write(&self, transaction_id: &str, position: i64, kind: EventKind) {
        let event = Event {
            transaction_id,
            position,
            kind,
            record: RECORD,
            facts: Facts::default(),
        };
        let mut tx = self.transaction().await.unwrap();
        write(&mut tx, event).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn claimed(&self) -> Vec<(DueEvent, Lease)> {
        self.claim_events(100, CALL).await.unwrap()
    }

    async fn end_try(&self, (event, lease): &(DueEvent, Lease), verdict: Verdict) -> bool {
        let answer = "answer".to_owned();
        let result = DeliveryResult { answer, verdict };
        match self.finish_event(event, *lease, result).await {
            Ok(()) => true,
            Err(Error::LeaseLost) => false,
            Err(error) => panic!("{error}"),
        }
    }

    async fn states(&self, state: DeliveryState) -> usize {
        let filter = Filter {
            state: Some(state),
            ..Filter::default()
        };
        self.deliveries(filter).await.unwrap().deliveries.len()
    }
}
