//! The stored payments and their changes, shared by all instances.

mod cycle;
mod fate;
mod merchants;
mod statements;

use std::collections::HashMap;
use std::str::FromStr;
use std::time::Duration;

use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};
use tender_ledger::{Facts, OrderMoney, PaymentFate};
use tender_protocol::{Amount, EventKind, Record, event};

use crate::clock::Millis;
use crate::store::database::{Error, Result, Session, query, undecodable};
use crate::store::outbox::{self, Event};
use crate::store::{BATCH, RETENTION};
use crate::store::{Store, Transaction, to_json};

/// How long a new payment is polled for even if no client watches it: about as long as most buyers
/// take to pay.
const INTEREST_AFTER_CREATION: Duration = Duration::from_mins(15);

/// How long a reconnecting client can get the changes it missed. Later it gets only the latest
/// record.
const EVENT_RETENTION: Duration = Duration::from_hours(1);

pub(crate) use self::cycle::{CycleEnd, Interest, ListedChange, PollCycle, PollState};
pub(crate) use self::fate::{
    announce_marks, follow_stage, is_news, keep_without_buyer, lock, release, set_unknown,
    store_listed, tell_shop,
};
#[cfg(test)]
pub(crate) use self::merchants::invoice_number;
#[cfg(test)]
pub(crate) use self::statements::LOCK_EVENTS;

/// A record and the id of the event that contained it; 0 for the record of the create response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) id: i64,
    pub(crate) record: String,
    pub(crate) facts: Facts,
    /// Whether the status was ever another one than that of the creation.
    pub(crate) has_moved: bool,
    /// The amount to pay that the list shows, if it is another one than the buyer was told.
    pub(crate) listed_pay: Option<Amount>,
}

/// An event of a payment, for buyers and merchants.
pub(crate) struct StoredEvent {
    pub(crate) transaction_id: String,
    /// `status`, or `created` or `ledger` for merchants only.
    pub(crate) kind: String,
    pub(crate) change: Change,
}

/// A stored payment that is on a page of the service's list.
pub(crate) struct Known {
    transaction_id: String,
    pub(crate) latest: Change,
    wanted_until: Millis,
    kept_until: Millis,
}

/// Stores the payment of an attempt. If no cycle was due for a while, the next one begins after a pause.
pub(crate) async fn add_payment(
    tx: &mut Transaction,
    transaction_id: &str,
    record: &str,
    source: Source,
) -> Result<()> {
    // Before the payment: whoever changes several payments locks this row first.
    let pause = tx.config.tracking.poll_interval;
    let (due_at, if_before) = (tx.clock.after(pause), tx.clock.before(pause));
    let postpone = query!(statements::POSTPONE_CYCLE, due_at, if_before, tx.clock.now);
    let reserved = tx.row::<(i64,)>(postpone).await?;
    let event_id = reserved.map(|(id,)| id).filter(|id| *id > 0);
    let is_new = add(tx, transaction_id, record, 0, event_id).await?;
    let mut taken = None;
    if !is_new || source == Source::Search {
        taken = fate::take_over(tx, transaction_id, record, source).await?;
    }
    let event = Event {
        transaction_id,
        position: 0,
        kind: EventKind::Created,
        record,
        facts: Facts::default(),
    };
    outbox::write(tx, event).await?;
    // The shop hears what became of it before.
    if let Some(taken) = taken.filter(|taken| taken.facts.fate.is_some()) {
        fate::write(tx, transaction_id, Facts::default(), &taken).await?;
    }
    Ok(())
}

/// Where the record of an attempt's payment comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The response to the request to create it. It counts as if the list had shown nothing.
    Response,
    /// A search of the list. What is known of the payment stays.
    Search,
}

/// Stores payments that were created elsewhere, with their records: the newest first, as the list has them.
pub(super) async fn add_listed(tx: &mut Transaction, payments: &[(String, Record)]) -> Result<()> {
    let listed_id = tx.number(query!(statements::RESERVE_ID)).await?;
    for (id, record) in payments.iter().rev() {
        let reserve = query!(statements::RESERVE_ID_FOR_MERCHANTS, tx.clock.now);
        let event_id = tx.row::<(i64,)>(reserve).await?.map(|(id,)| id);
        add(tx, id, &to_json(record)?, listed_id, event_id).await?;
    }
    Ok(())
}

/// Whether the list showed a payment before the create request of an attempt was sent, so that it can't be the attempt's.
pub(crate) async fn was_listed_before(
    session: &mut Session,
    transaction_id: &str,
    attempt: &str,
) -> Result<bool> {
    let count = query!(statements::COUNT_LISTED_BEFORE, transaction_id, attempt);
    Ok(session.number(count).await? > 0)
}

/// The latest record of a payment; `None` if it is not known.
pub(crate) async fn latest(session: &mut Session, transaction_id: &str) -> Result<Option<Change>> {
    session
        .row(query!(statements::LATEST, transaction_id))
        .await
}

impl Store {
    /// Stores payments that were created elsewhere and found in the list.
    pub(crate) async fn add_listed(&self, payments: &[(String, Record)]) -> Result<()> {
        if payments.is_empty() {
            return Ok(());
        }
        let mut tx = self.transaction().await?;
        add_listed(&mut tx, payments).await?;
        tx.commit().await
    }

    /// The latest record of a payment; `None` if it is not known.
    pub(crate) async fn latest_change(&self, transaction_id: &str) -> Result<Option<Change>> {
        latest(&mut self.database.reader().await?, transaction_id).await
    }

    /// The next batch of events after this one: the changes of one payment, or all events.
    pub(crate) async fn events(&self, after: i64, of: Option<&str>) -> Result<Vec<StoredEvent>> {
        let events = match of {
            Some(id) => query!(statements::CHANGES_OF_PAYMENT, after, BATCH, id),
            None => query!(statements::EVENTS, after, BATCH),
        };
        self.database.rows(events).await
    }

    /// The latest change of each payment of the next batch after this transactionId; none at the end.
    pub(crate) async fn payments_after(&self, last: &str) -> Result<Vec<StoredEvent>> {
        let payments = query!(statements::AFTER, last, BATCH);
        self.database.rows(payments).await
    }

    /// The given payments that are stored, keyed by transactionId.
    pub(crate) async fn known_payments(&self, ids: &[&str]) -> Result<HashMap<String, Known>> {
        let mut session = self.database.reader().await?;
        let known = session.rows_in::<Known>(statements::KNOWN, ids).await?;
        let known = known.into_iter();
        Ok(known
            .map(|known| (known.transaction_id.clone(), known))
            .collect())
    }

    /// Prunes a batch of old rows of each table. Returns whether there may be more.
    pub(super) async fn prune_payments(&self) -> Result<bool> {
        let clock = self.clock().await?;
        let mut most = self.database.write(outbox::prune(clock)).await?;
        // Not in a transaction that locks `polling`: storing a notification locks it after the notification's row.
        let before = clock.before(RETENTION);
        let notifications = query!(statements::PRUNE_NOTIFICATIONS, before, BATCH);
        most = most.max(self.database.write(notifications).await?);
        let mut tx = self.transaction().await?;
        lock(&mut tx).await?;
        for (statement, before) in [
            (statements::PRUNE_PAYMENTS, tx.clock.age()),
            (statements::PRUNE_EVENTS, tx.clock.before(EVENT_RETENTION)),
        ] {
            let pruned = tx.execute(query!(statement, before, BATCH)).await?;
            most = most.max(pruned);
        }
        tx.commit().await?;
        Ok(most >= BATCH.unsigned_abs())
    }
}

impl FromRow<'_, AnyRow> for Change {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        Ok(Self {
            id: row.try_get("event_id")?,
            record: row.try_get("record")?,
            facts: facts(row)?,
            has_moved: row.try_get::<i64, _>("has_moved")? == 1,
            listed_pay: listed_pay(row)?,
        })
    }
}

impl FromRow<'_, AnyRow> for Known {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        Ok(Self {
            transaction_id: row.try_get("transaction_id")?,
            latest: Change::from_row(row)?,
            wanted_until: row.try_get("wanted_until")?,
            kept_until: row.try_get("kept_until")?,
        })
    }
}

/// The columns `ending`, `of_order` and `marks`.
pub(crate) fn facts(row: &AnyRow) -> sqlx::Result<Facts> {
    let fate: Option<String> = row.try_get("ending")?;
    Ok(Facts {
        fate: match fate.as_deref() {
            // An instance of an older version has written it: another payment of the order was paid.
            Some("order-paid") => Some(PaymentFate::Closed),
            _ => parse_word(fate)?,
        },
        order: parse_money(row.try_get("of_order")?)?,
        sent: row.try_get::<i64, _>("marks")? > 0,
    })
}

/// The column `listed_pay`.
pub(crate) fn listed_pay(row: &AnyRow) -> sqlx::Result<Option<Amount>> {
    let text: Option<String> = row.try_get("listed_pay")?;
    text.map(|text| text.parse().map_err(undecodable))
        .transpose()
}

pub(crate) fn parse_money(word: Option<String>) -> sqlx::Result<Option<OrderMoney>> {
    parse_word(word)
}

fn parse_word<T: FromStr>(word: Option<String>) -> sqlx::Result<Option<T>> {
    let unknown = |word| undecodable(format!("unknown word {word}"));
    let parse = |word: String| word.parse().map_err(|_| unknown(word));
    word.map(parse).transpose()
}

fn parse(json: &str) -> Result<Record> {
    Record::parse(json, "a payment record").map_err(Error::unreadable)
}

impl FromRow<'_, AnyRow> for StoredEvent {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        Ok(Self {
            transaction_id: row.try_get("transaction_id")?,
            kind: row.try_get("kind")?,
            change: Change::from_row(row)?,
        })
    }
}

/// Stores a payment, polls for it as long as for a new one, and announces it to merchants if an id was reserved for that. Returns
/// whether it was not stored before.
async fn add(
    tx: &mut Transaction,
    transaction_id: &str,
    record: &str,
    listed_id: i64,
    event_id: Option<i64>,
) -> Result<bool> {
    let insert = query!(
        statements::INSERT_PAYMENT,
        transaction_id,
        record,
        tx.clock.after(INTEREST_AFTER_CREATION),
        tx.clock.kept_for(RETENTION),
        listed_id,
    );
    let is_new = tx.execute(insert).await? == 1;
    if let Some(id) = event_id.filter(|_| is_new) {
        fate::insert_reserved(tx, id, transaction_id, event::CREATED, record).await?;
    }
    Ok(is_new)
}
