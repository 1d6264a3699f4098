//! The stored payments and their changes, shared by all instances.

mod cycle;
mod ending;
mod merchants;
mod notifications;
mod seen;
mod statements;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tender_protocol::Record;

use crate::store::database::{
    Clock, Database, Error, LIST_LEN, Millis, Result, Row, Session, padded,
};

/// How long a new payment is polled for even if nobody watches it: about as long as most buyers
/// take to pay.
const INTEREST_AFTER_CREATION: Duration = Duration::from_mins(15);

/// How long a payment is stored: as long as a receipt allows a buyer to ask for it.
pub(crate) const RETENTION: Duration = Duration::from_hours(30 * 24);

/// How long a reconnecting client can get the changes it missed. Later it gets only the latest
/// record.
const EVENT_RETENTION: Duration = Duration::from_hours(1);

/// Maximum number of changes that are read at once.
pub(crate) const BATCH: i64 = 500;

#[cfg(test)]
pub(crate) use self::cycle::PollState;
pub(crate) use self::cycle::{CycleEnd, ListedChange, PollCycle, Watermark, WriteError};
pub(crate) use self::ending::{Ending, set_closed};
pub(crate) use self::merchants::Notifications;
#[cfg(test)]
pub(crate) use self::notifications::invoice_number;

/// Access to the tables of `2_tracking.sql` and `3_merchant.sql`.
#[derive(Clone)]
pub(crate) struct PaymentStore {
    pub(crate) database: Database,
}

/// A record and the id of the event that contained it; 0 for the record of the create response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) id: i64,
    pub(crate) record: String,
    /// How the payment has ended by now.
    pub(crate) ending: Option<Ending>,
}

/// A stored payment that is on a page of the service's list.
pub(crate) struct Known {
    pub(crate) record: String,
    pub(crate) is_wanted: bool,
    pub(crate) ending: Option<Ending>,
}

/// Stores a new payment; a known one is not changed. If no cycle was due for a while, the next one
/// begins after `interval`.
pub(crate) async fn add_payment(
    session: &mut Session,
    clock: Clock,
    transaction_id: &str,
    record: &str,
    interval: Duration,
) -> Result<()> {
    if add(session, clock, transaction_id, record).await? {
        let values = [clock.after(interval).into(), clock.before(interval).into()];
        session.execute(statements::POSTPONE_CYCLE, &values).await?;
    }
    Ok(())
}

/// The latest record of a payment; `None` if it is not known.
pub(crate) async fn latest(session: &mut Session, transaction_id: &str) -> Result<Option<Change>> {
    let values = [transaction_id.into()];
    session.row(statements::LATEST, &values, Change::read).await
}

impl PaymentStore {
    pub(crate) async fn clock(&self) -> Result<Clock> {
        self.database.clock().await
    }

    /// Stores payments that were created elsewhere and found in the list.
    pub(crate) async fn add_listed(&self, payments: Vec<(String, String)>) -> Result<()> {
        if payments.is_empty() {
            return Ok(());
        }
        let added = self.database.transaction(move |session| {
            Box::pin(async move {
                let clock = session.clock().await?;
                for (id, record) in &payments {
                    add(session, clock, id, record).await?;
                }
                Ok(())
            })
        });
        added.await
    }

    /// The latest record of a payment; `None` if it is not known.
    pub(crate) async fn latest(&self, transaction_id: &str) -> Result<Option<Change>> {
        let id = transaction_id.to_owned();
        let latest = self
            .database
            .read(move |session| Box::pin(async move { latest(session, &id).await }));
        latest.await
    }

    /// The changes of a payment after this event.
    pub(crate) async fn changes_of(&self, transaction_id: &str, after: i64) -> Result<Vec<Change>> {
        let id = transaction_id.to_owned();
        let changes = self.database.read(move |session| {
            Box::pin(async move {
                let values = [(&id).into(), after.into()];
                session
                    .rows(statements::CHANGES_OF_PAYMENT, &values, Change::read)
                    .await
            })
        });
        changes.await
    }

    /// The next batch of changes of all payments after this event.
    pub(crate) async fn changes(&self, after: i64) -> Result<Vec<(String, Change)>> {
        let changes = self.database.read(move |session| {
            Box::pin(async move {
                let change = |row: &Row<'_>| Ok((row.text("transaction_id")?, Change::read(row)?));
                let values = [after.into(), BATCH.into()];
                session.rows(statements::CHANGES, &values, change).await
            })
        });
        changes.await
    }

    /// The number of payments that the list is polled for at `now`.
    pub(crate) async fn count_wanted(&self, now: Millis) -> Result<u64> {
        let count = self.database.read(move |session| {
            Box::pin(async move {
                session
                    .number(statements::COUNT_WANTED, &[now.into()])
                    .await
            })
        });
        Ok(count.await?.unsigned_abs())
    }

    /// Extends the interest in these payments, so that they are polled for until then.
    pub(crate) async fn extend_interest(&self, ids: &[Arc<str>], until: Millis) -> Result<()> {
        let ids = ids.to_vec();
        let extended = self.database.transaction(move |session| {
            Box::pin(async move {
                for ids in ids.chunks(LIST_LEN) {
                    let mut values = padded(ids);
                    values.push(until.into());
                    session
                        .execute(statements::EXTEND_INTEREST, &values)
                        .await?;
                }
                Ok(())
            })
        });
        extended.await
    }

    /// The given payments that are stored, keyed by transactionId.
    pub(crate) async fn known(&self, ids: &[&str], now: Millis) -> Result<HashMap<String, Known>> {
        let ids: Vec<_> = ids.iter().map(|id| (*id).to_owned()).collect();
        let known = self.database.read(move |session| {
            Box::pin(async move {
                let read = |row: &Row<'_>| {
                    let payment = Known {
                        record: row.text("record")?,
                        is_wanted: row.integer("wanted_until")? > now,
                        ending: Ending::read(row)?,
                    };
                    Ok((row.text("transaction_id")?, payment))
                };
                let mut known = HashMap::new();
                for ids in ids.chunks(LIST_LEN) {
                    known.extend(session.rows(statements::KNOWN, &padded(ids), read).await?);
                }
                Ok(known)
            })
        });
        known.await
    }

    /// Prunes a batch of old rows from each table.
    pub(crate) async fn prune(&self) -> Result<()> {
        let prune = self.database.transaction(|session| {
            Box::pin(async {
                let clock = session.clock().await?;
                let long_ago = clock.before(RETENTION);
                for (statement, before) in [
                    (statements::PRUNE_PAYMENTS, clock.now),
                    (statements::PRUNE_EVENTS, clock.before(EVENT_RETENTION)),
                    (statements::PRUNE_NOTIFICATIONS, long_ago),
                ] {
                    let values = [before.into(), BATCH.into()];
                    session.execute(statement, &values).await?;
                }
                Ok(())
            })
        });
        prune.await
    }
}

impl Change {
    pub(crate) fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            id: row.integer("event_id")?,
            record: row.text("record")?,
            ending: Ending::read(row)?,
        })
    }
}

/// Stores a payment, and polls for it as long as for a new one. Returns whether it was not stored
/// before.
async fn add(
    session: &mut Session,
    clock: Clock,
    transaction_id: &str,
    record: &str,
) -> Result<bool> {
    let values = [
        transaction_id.into(),
        record.into(),
        clock.after(INTEREST_AFTER_CREATION).into(),
        clock.after(RETENTION).into(),
    ];
    Ok(session.execute(statements::INSERT_PAYMENT, &values).await? == 1)
}

/// A record as JSON, with every value as the service wrote it.
pub(crate) fn text(record: &Record) -> Result<String> {
    serde_json::to_string(record).map_err(Error::unwritable)
}
