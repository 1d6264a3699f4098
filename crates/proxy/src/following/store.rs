//! What is known of payments, in the database that all instances share.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};
use tender_protocol::Record;

use super::statements;
use crate::ledger::{Clock, Created, Database, MANY, Millis, padded};
use crate::receipt;

/// How long a payment is looked after though nobody watches it: about as long as most buyers take
/// to pay.
const YOUNG: Duration = Duration::from_mins(15);

/// How long a change can be told to a watcher who comes back. Later it hears of the last one.
const EVENTS_KEPT: Duration = Duration::from_hours(1);

/// How many changes are read at once.
pub(super) const BATCH: i64 = 500;

/// The tables of `2_following.sql`.
#[derive(Clone)]
pub(super) struct Store {
    pub(super) database: Database,
}

/// A record, and the number of the change that brought it; 0 is as the payment was created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) id: i64,
    pub(super) record: String,
}

/// A payment that stands on a page of the service's list.
pub(super) struct Known {
    pub(super) record: String,
    pub(super) is_wanted: bool,
}

impl Store {
    pub(super) async fn clock(&self) -> sqlx::Result<Clock> {
        self.database.clock().await
    }

    /// Writes down a payment that was created; one that is known stays as it is. Where the list was
    /// not read, it is read again after that `interval`.
    pub(super) async fn add(&self, created: &Created, interval: Duration) -> sqlx::Result<()> {
        let clock = self.clock().await?;
        // In one: whoever sees the payment sees when to look for it.
        let mut transaction = self.database.begin().await?;
        let (id, record) = (&created.transaction_id, text(&created.record)?);
        if add(&mut transaction, clock, id, &record).await? {
            let put_off = sqlx::query(statements::PUT_OFF);
            let put_off = put_off.bind(clock.after(interval));
            let put_off = put_off.bind(clock.before(interval));
            put_off.execute(&mut *transaction).await?;
        }
        transaction.commit().await
    }

    /// Writes down payments that were created elsewhere, as they stand in the list.
    pub(super) async fn add_seen(&self, payments: &[(String, String)]) -> sqlx::Result<()> {
        if payments.is_empty() {
            return Ok(());
        }
        let clock = self.clock().await?;
        let mut transaction = self.database.begin().await?;
        for (id, record) in payments {
            add(&mut transaction, clock, id, record).await?;
        }
        transaction.commit().await
    }

    /// The latest of a payment; `None` where it is not known.
    pub(super) async fn latest(&self, transaction_id: &str) -> sqlx::Result<Option<Change>> {
        let row = sqlx::query(statements::LATEST).bind(transaction_id);
        let row = row.fetch_optional(&self.database.pool).await?;
        row.as_ref().map(Change::read).transpose()
    }

    /// What changed of a payment after a change.
    pub(super) async fn changes_of(
        &self,
        transaction_id: &str,
        after: i64,
    ) -> sqlx::Result<Vec<Change>> {
        let rows = sqlx::query(statements::CHANGES_OF)
            .bind(transaction_id)
            .bind(after)
            .fetch_all(&self.database.pool)
            .await?;
        rows.iter().map(Change::read).collect()
    }

    /// What changed of any payment after a change: the next of it, in order.
    pub(super) async fn changes(&self, after: i64) -> sqlx::Result<Vec<(String, Change)>> {
        let rows = sqlx::query(statements::CHANGES)
            .bind(after)
            .bind(BATCH)
            .fetch_all(&self.database.pool)
            .await?;
        let change = |row: &AnyRow| Ok((row.try_get("transaction_id")?, Change::read(row)?));
        rows.iter().map(change).collect()
    }

    /// For how many payments the service's list is read at `now`.
    pub(super) async fn wanted(&self, now: Millis) -> sqlx::Result<u64> {
        let count = sqlx::query_scalar::<_, i64>(statements::WANTED).bind(now);
        let count = count.fetch_one(&self.database.pool).await?;
        Ok(count.unsigned_abs())
    }

    /// Has the list read for these payments until then.
    pub(super) async fn want(&self, ids: &[Arc<str>], until: Millis) -> sqlx::Result<()> {
        let mut transaction = self.database.begin().await?;
        for ids in ids.chunks(MANY) {
            let mut query = sqlx::query(statements::WANT);
            for id in padded(ids) {
                query = query.bind(id);
            }
            query.bind(until).execute(&mut *transaction).await?;
        }
        transaction.commit().await
    }

    /// Those of these payments that are known.
    pub(super) async fn known(
        &self,
        ids: &[&str],
        now: Millis,
    ) -> sqlx::Result<HashMap<String, Known>> {
        let mut known = HashMap::new();
        for ids in ids.chunks(MANY) {
            let mut query = sqlx::query(statements::KNOWN);
            for id in padded(ids) {
                query = query.bind(id);
            }
            for row in query.fetch_all(&self.database.pool).await? {
                let payment = Known {
                    record: row.try_get("record")?,
                    is_wanted: row.try_get::<Millis, _>("wanted_until")? > now,
                };
                known.insert(row.try_get("transaction_id")?, payment);
            }
        }
        Ok(known)
    }

    /// Forgets what nobody needs any more, a bounded part of it.
    pub(super) async fn prune(&self) -> sqlx::Result<()> {
        let clock = self.clock().await?;
        let long_ago = clock.before(receipt::LIFETIME);
        for (statement, before) in [
            (statements::PRUNE_PAYMENTS, clock.now),
            (statements::PRUNE_EVENTS, clock.before(EVENTS_KEPT)),
            (statements::PRUNE_NOTIFICATIONS, long_ago),
        ] {
            let prune = sqlx::query(statement).bind(before).bind(BATCH);
            prune.execute(&self.database.pool).await?;
        }
        Ok(())
    }
}

impl Change {
    pub(super) fn read(row: &AnyRow) -> sqlx::Result<Self> {
        Ok(Self {
            id: row.try_get("event_id")?,
            record: row.try_get("record")?,
        })
    }
}

/// Writes down a payment that is young. Whether it is a new one.
async fn add(
    transaction: &mut AnyConnection,
    clock: Clock,
    transaction_id: &str,
    record: &str,
) -> sqlx::Result<bool> {
    let added = sqlx::query(statements::ADD)
        .bind(transaction_id.to_owned())
        .bind(record.to_owned())
        .bind(clock.after(YOUNG))
        .bind(clock.after(receipt::LIFETIME))
        .execute(transaction)
        .await?;
    Ok(added.rows_affected() == 1)
}

/// A record as JSON: each value as the service wrote it.
pub(super) fn text(record: &Record) -> sqlx::Result<String> {
    serde_json::to_string(record).map_err(|error| sqlx::Error::Encode(error.into()))
}
