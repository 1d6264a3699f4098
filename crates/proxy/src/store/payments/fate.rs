//! How payments have ended, or that money was seen for them: what the poller has read in the service's list, and what the
//! proxy itself did. The service may list a payment that the proxy has cancelled as "Created" forever.

use tender_ledger::{Facts, Meaning, OrderMoney, PaymentFate, Stage, is_created, is_same_status};
use tender_protocol::{EventKind, Payment, event};

use super::{Change, INTEREST_AFTER_CREATION, ListedChange, Source, latest, parse, statements};
use crate::store::database::{Result, query};
use crate::store::outbox::{self, Event, kind_of_change};
use crate::store::{RETENTION, Store, Transaction, to_json};

impl Store {
    /// Stores how these payments have ended by their stored records, as events, where that is news.
    pub(crate) async fn store_endings(
        &self,
        ids: &[String],
        meaning: impl Fn(&str) -> Meaning + Send + Sync,
    ) -> Result<()> {
        let mut tx = self.transaction().await?;
        lock(&mut tx).await?;
        let change = |latest: &Change| {
            let meaning = meaning(&latest.record);
            let fate = latest.facts.fate;
            is_news(meaning, fate).then(|| PaymentFate::next(fate, meaning, latest.has_moved))
        };
        for id in ids {
            change_ending(&mut tx, id, change).await?;
        }
        tx.commit().await
    }

    /// Stores records of the list, which was asked for after this event, and how their payments have ended by them.
    pub(crate) async fn store_changes(
        &self,
        changes: Vec<ListedChange>,
        asked_after: i64,
    ) -> Result<()> {
        if changes.is_empty() {
            return Ok(());
        }
        let mut tx = self.transaction().await?;
        lock(&mut tx).await?;
        for change in changes {
            store_listed(&mut tx, change, asked_after).await?;
        }
        tx.commit().await
    }
}

/// Until the transaction ends, no other one changes a payment. Whatever is below relies on it. It comes after the attempts that
/// a transaction locks, and before the payments: [the order of locks](crate::store::database).
pub(crate) async fn lock(tx: &mut Transaction) -> Result<()> {
    tx.execute(query!(statements::LOCK_EVENTS)).await.map(drop)
}

/// Stores a record of the list that was asked for after this event, as an event for the payment's streams, unless it is known
/// already or the payment has changed later. Returns whether it is the payment's. It is compared with what is stored by now.
pub(crate) async fn store_listed(
    tx: &mut Transaction,
    change: ListedChange,
    asked_after: i64,
) -> Result<bool> {
    let ListedChange {
        transaction_id: id,
        listed,
        meaning,
    } = change;
    let Some(latest) = latest(tx, &id).await? else {
        return Ok(true);
    };
    let known = parse(&latest.record)?;
    let (listed, listed_pay) = match tender_ledger::latest(&known, listed) {
        Ok(latest) => (latest.record, latest.listed_pay),
        Err(field) => return add_contradiction(tx, &id, field).await.map(|()| false),
    };
    let record = to_json(&listed)?;
    if latest.id > asked_after {
        let changes = query!(statements::COUNT_CHANGES, &*id, asked_after);
        if tx.number(changes).await? > 0 {
            return Ok(true);
        }
    }
    let confirmed = query!(statements::SET_CONFIRMED, &*id, tx.clock.now);
    tx.execute(confirmed).await?;
    let is_known = latest.record == record && latest.listed_pay == listed_pay;
    if is_known && !is_news(meaning, latest.facts.fate) {
        return Ok(true);
    }
    let has_moved = latest.has_moved || !is_same_status(&known, &listed);
    let after = Change {
        id: latest.id,
        record,
        facts: Facts {
            fate: PaymentFate::next(latest.facts.fate, meaning, has_moved),
            ..latest.facts
        },
        has_moved,
        listed_pay,
    };
    store_change(tx, &id, latest.facts, &after).await?;
    Ok(true)
}

/// Stores that an attempt has a payment that the list showed before, and its record. Returns what is known of it now.
pub(super) async fn take_over(
    tx: &mut Transaction,
    transaction_id: &str,
    record: &str,
    source: Source,
) -> Result<Option<Change>> {
    lock(tx).await?;
    let Some(listed) = latest(tx, transaction_id).await? else {
        return Ok(None);
    };
    let mut taken = Change {
        record: record.to_owned(),
        ..listed.clone()
    };
    match source {
        Source::Response => {
            taken.facts.fate = None;
            (taken.has_moved, taken.listed_pay) = (false, None);
        }
        Source::Search => taken.has_moved |= !is_created(&parse(record)?),
    }
    if listed.record != taken.record {
        taken.id = insert_event(tx, transaction_id, event::STATUS, record).await?;
    }
    update(tx, transaction_id, &taken).await?;
    let (wanted_until, kept_until) = (
        tx.clock.after(INTEREST_AFTER_CREATION),
        tx.clock.kept_for(RETENTION),
    );
    let take = query!(
        statements::TAKE_OVER,
        transaction_id,
        wanted_until,
        kept_until
    );
    tx.execute(take).await?;
    if let Some(money) = taken.facts.fate.and_then(PaymentFate::money) {
        add_money(tx, transaction_id, money).await?;
    }
    Ok(Some(taken))
}

/// Stores what a new stage of its attempt means for a payment, as an event for the payment's streams, where that is news.
pub(crate) async fn follow_stage(
    tx: &mut Transaction,
    transaction_id: &str,
    stages: [&Stage<String>; 2],
) -> Result<()> {
    let change = |latest: &Change| {
        let record = parse(&latest.record).ok()?;
        let is_changed_back = latest.has_moved && is_created(&record);
        let before = latest.facts.fate;
        let fate = PaymentFate::after_stage(before, stages, is_changed_back);
        (fate != before).then_some(fate)
    };
    change_ending(tx, transaction_id, change).await
}

/// Stores that a payment is being cancelled, as an event for its streams, unless more is known of it. The shop's backend gets the
/// outcome, or [hears](tell_shop) that there is none.
pub(crate) async fn set_unknown(tx: &mut Transaction, transaction_id: &str) -> Result<()> {
    match latest(tx, transaction_id).await? {
        Some(latest) if latest.facts.fate.is_none() => {
            let mut unknown = latest;
            unknown.facts.fate = Some(PaymentFate::Unknown);
            publish(tx, transaction_id, &unknown).await.map(drop)
        }
        _ => Ok(()),
    }
}

/// Writes an event for the shop's backend: it is not known whether the payment has ended. Does nothing if that event was written
/// before, or if more is known.
pub(crate) async fn tell_shop(tx: &mut Transaction, transaction_id: &str) -> Result<()> {
    match latest(tx, transaction_id).await? {
        Some(latest) if latest.facts.fate == Some(PaymentFate::Unknown) => {
            let event = Event {
                transaction_id,
                position: latest.id,
                kind: EventKind::Updated,
                record: &latest.record,
                facts: latest.facts,
            };
            outbox::write(tx, event).await
        }
        _ => Ok(()),
    }
}

/// Keeps a payment as long as its attempt, without what identifies the buyer.
pub(crate) async fn keep_without_buyer(tx: &mut Transaction, transaction_id: &str) -> Result<()> {
    let record = query!(statements::RECORD, transaction_id);
    if let Some((record,)) = tx.row::<(String,)>(record).await? {
        let erased = Payment::without_buyer(&record);
        let keep = query!(statements::KEEP, transaction_id, erased);
        tx.execute(keep).await?;
    }
    Ok(())
}

/// Writes an event of a payment that got its first mark or lost its last one, for its streams.
pub(crate) async fn announce_marks(tx: &mut Transaction, transaction_id: &str) -> Result<()> {
    lock(tx).await?;
    let Some(latest) = latest(tx, transaction_id).await? else {
        return Ok(());
    };
    let id = insert_last_event(tx, transaction_id, "marks", &latest.record).await?;
    update(tx, transaction_id, &Change { id, ..latest }).await
}

/// Writes an event for merchants' streams: what the proxy knows of payments has changed.
pub(super) async fn announce_ledger(tx: &mut Transaction) -> Result<()> {
    lock(tx).await?;
    insert_last_event(tx, "", event::LEDGER, "{}")
        .await
        .map(drop)
}

/// Whether a status says more of a payment than is stored. The operator may have mapped the status since it was read first.
pub(crate) fn is_news(meaning: Meaning, stored: Option<PaymentFate>) -> bool {
    PaymentFate::next(stored, meaning, false) != stored
}

/// Stores that the merchant has released the order of a payment: whatever was seen for it no longer keeps the order from
/// another one, and no page asks for it any more.
pub(crate) async fn release(tx: &mut Transaction, transaction_id: &str) -> Result<()> {
    let delete = query!(statements::DELETE_CONTRADICTION, transaction_id);
    tx.execute(delete).await?;
    let release = query!(statements::RELEASE_MONEY, transaction_id);
    if tx.execute(release).await? > 0 {
        announce_siblings(tx, transaction_id).await?;
    }
    let unknown = |latest: &Change| match latest.facts.fate {
        None => Some(Some(PaymentFate::Unknown)),
        Some(_) => None,
    };
    change_ending(tx, transaction_id, unknown).await
}

/// Stores that the list contradicts a payment of this proxy, if that is news. The merchants' streams say so.
async fn add_contradiction(tx: &mut Transaction, transaction_id: &str, field: &str) -> Result<()> {
    let now = tx.clock.now;
    let add = query!(statements::ADD_CONTRADICTION, transaction_id, field, now);
    if tx.execute(add).await? > 0 {
        tracing::warn!(
            transaction_id,
            field,
            "the list contradicts the payment; its known record stays, and its order gets no other payment"
        );
        announce_ledger(tx).await?;
    }
    Ok(())
}

/// Stores that money was seen for a payment, if that is news for its order.
async fn add_money(tx: &mut Transaction, transaction_id: &str, money: OrderMoney) -> Result<()> {
    let add = query!(statements::ADD_MONEY, transaction_id, <&str>::from(money));
    if tx.execute(add).await? > 0 {
        announce_siblings(tx, transaction_id).await?;
    }
    Ok(())
}

/// Writes an event of each other payment of an order: what is known of the order has changed.
async fn announce_siblings(tx: &mut Transaction, transaction_id: &str) -> Result<()> {
    let siblings = query!(statements::SIBLINGS, transaction_id);
    for (sibling,) in tx.rows::<(String,)>(siblings).await? {
        if let Some(latest) = latest(tx, &sibling).await? {
            write(tx, &sibling, latest.facts, &latest).await?;
        }
    }
    Ok(())
}

/// Stores the fate that `change` returns for the latest record of a payment, if it returns one.
async fn change_ending(
    tx: &mut Transaction,
    transaction_id: &str,
    change: impl Fn(&Change) -> Option<Option<PaymentFate>>,
) -> Result<()> {
    if let Some(latest) = latest(tx, transaction_id).await?
        && let Some(fate) = change(&latest)
    {
        let before = latest.facts;
        let facts = Facts { fate, ..before };
        store_change(tx, transaction_id, before, &Change { facts, ..latest }).await?;
    }
    Ok(())
}

/// Stores a change of a payment, and what it means for its order.
async fn store_change(
    tx: &mut Transaction,
    transaction_id: &str,
    before: Facts,
    change: &Change,
) -> Result<()> {
    write(tx, transaction_id, before, change).await?;
    match change.facts.fate.and_then(PaymentFate::money) {
        Some(money) if change.facts.fate != before.fate => {
            add_money(tx, transaction_id, money).await
        }
        _ => Ok(()),
    }
}

/// Writes a change of a payment as an event for its streams and the shop's backend.
pub(super) async fn write(
    tx: &mut Transaction,
    transaction_id: &str,
    before: Facts,
    change: &Change,
) -> Result<()> {
    let event = Event {
        transaction_id,
        position: publish(tx, transaction_id, change).await?,
        kind: kind_of_change(before, change.facts),
        record: &change.record,
        facts: change.facts,
    };
    outbox::write(tx, event).await
}

/// Writes a change of a payment as an event for its streams. Returns its id.
async fn publish(tx: &mut Transaction, transaction_id: &str, change: &Change) -> Result<i64> {
    let id = insert_event(tx, transaction_id, event::STATUS, &change.record).await?;
    let change = Change {
        id,
        ..change.clone()
    };
    update(tx, transaction_id, &change).await?;
    Ok(id)
}

async fn update(tx: &mut Transaction, transaction_id: &str, change: &Change) -> Result<()> {
    let update = query!(
        statements::UPDATE_PAYMENT,
        transaction_id,
        change.id,
        &*change.record,
        change.facts.fate.map(<&str>::from),
        i64::from(change.has_moved),
        change.listed_pay.as_ref().map(ToString::to_string),
    );
    tx.execute(update).await.map(drop)
}

/// Stores an event of a kind of which only the last one counts, however many there are. Returns its id.
async fn insert_last_event(
    tx: &mut Transaction,
    transaction_id: &str,
    kind: &str,
    record: &str,
) -> Result<i64> {
    let earlier = query!(statements::DELETE_EVENTS_OF_KIND, transaction_id, kind);
    tx.execute(earlier).await?;
    insert_event(tx, transaction_id, kind, record).await
}

/// Stores an event of a payment for streams. Returns its id.
async fn insert_event(
    tx: &mut Transaction,
    transaction_id: &str,
    kind: &str,
    record: &str,
) -> Result<i64> {
    let id = tx.number(query!(statements::RESERVE_ID)).await?;
    insert_reserved(tx, id, transaction_id, kind, record).await?;
    Ok(id)
}

/// Stores an event with an id that was reserved for it.
pub(super) async fn insert_reserved(
    tx: &mut Transaction,
    id: i64,
    transaction_id: &str,
    kind: &str,
    record: &str,
) -> Result<()> {
    let now = tx.clock.now;
    let insert = query!(
        statements::INSERT_EVENT,
        id,
        transaction_id,
        record,
        now,
        kind
    );
    tx.execute(insert).await.map(drop)
}
