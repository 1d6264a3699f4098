//! How payments have ended, or that money was seen for them: what the poller has read in the service's list, and what the
//! proxy itself did. The service may list a payment that the proxy has cancelled as "Created" forever.

use tender_ledger::{Ending, Meaning, Stage, is_created, is_same_status};
use tender_protocol::event;

use super::{Change, ListedChange, latest, parse, statements};
use crate::clock::Millis;
use crate::store::database::{Result, query};
use crate::store::outbox::{self, Event, kind_of_change};
use crate::store::{Store, Transaction};

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
            is_news(meaning, latest.ending)
                .then(|| Ending::next(latest.ending, meaning, latest.has_moved))
        };
        for id in ids {
            change_ending(&mut tx, id, change).await?;
        }
        announce_siblings(&mut tx, ids).await?;
        tx.commit().await
    }

    /// Stores a record of the list and how the payment has ended by it, outside of a poll cycle.
    pub(crate) async fn set_record(&self, change: ListedChange, read_at: Millis) -> Result<()> {
        let mut tx = self.transaction().await?;
        lock(&mut tx).await?;
        store_listed(&mut tx, &[change], read_at).await?;
        tx.commit().await
    }
}

/// Until the transaction ends, no other one changes a payment. Whatever is below relies on it.
pub(crate) async fn lock(tx: &mut Transaction) -> Result<()> {
    tx.execute(query!(statements::LOCK_EVENTS)).await.map(drop)
}

/// Stores records of the list that were asked for at `read_at`, as events for the payments' streams, each one unless it is
/// known already or a newer one is stored.
pub(crate) async fn store_listed(
    tx: &mut Transaction,
    changes: &[ListedChange],
    read_at: Millis,
) -> Result<()> {
    let mut stored = Vec::new();
    for change in changes {
        let id = &change.transaction_id;
        let latest = latest(tx, id).await?;
        let Some(latest) = latest.filter(|latest| latest.read_at <= read_at) else {
            continue;
        };
        if latest.record == change.record && !is_news(change.meaning, latest.ending) {
            let confirmed = query!(statements::SET_CONFIRMED, &**id, read_at);
            tx.execute(confirmed).await?;
            continue;
        }
        let (before, listed) = (parse(&latest.record)?, parse(&change.record)?);
        let has_moved = latest.has_moved || !is_same_status(&before, &listed);
        let after = Change {
            id: latest.id,
            record: change.record.clone(),
            ending: Ending::next(latest.ending, change.meaning, has_moved),
            read_at,
            has_moved,
        };
        write(tx, id, latest.ending, &after).await?;
        stored.push(id);
    }
    announce_siblings(tx, &stored).await
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
        let ending = Ending::after_stage(latest.ending, stages, is_changed_back);
        (ending != latest.ending).then_some(ending)
    };
    change_ending(tx, transaction_id, change).await
}

/// Writes an event of a payment whose ending was stored without one, for its streams and the shop's backend.
pub(crate) async fn announce(tx: &mut Transaction, transaction_id: &str) -> Result<()> {
    change_ending(tx, transaction_id, |latest| Some(latest.ending)).await
}

/// Whether a status says more of a payment than is stored. The operator may have mapped the status since it was read first.
pub(crate) fn is_news(meaning: Meaning, stored: Option<Ending>) -> bool {
    Ending::next(stored, meaning, false) != stored
}

/// If one of these payments is paid, writes an event of each other payment of its order: nothing more is to be paid to it.
async fn announce_siblings(tx: &mut Transaction, ids: &[impl AsRef<str>]) -> Result<()> {
    for id in ids {
        let siblings = query!(statements::UNPAID_SIBLINGS, id.as_ref());
        for (sibling,) in tx.rows::<(String,)>(siblings).await? {
            announce(tx, &sibling).await?;
        }
    }
    Ok(())
}

/// Stores the ending that `change` returns for the latest record of a payment, if it returns one.
async fn change_ending(
    tx: &mut Transaction,
    transaction_id: &str,
    change: impl Fn(&Change) -> Option<Option<Ending>>,
) -> Result<()> {
    if let Some(latest) = latest(tx, transaction_id).await?
        && let Some(ending) = change(&latest)
    {
        let before = latest.ending;
        write(tx, transaction_id, before, &Change { ending, ..latest }).await?;
    }
    Ok(())
}

/// Stores a change of a payment as an event for its streams and the shop's backend.
async fn write(
    tx: &mut Transaction,
    transaction_id: &str,
    before: Option<Ending>,
    change: &Change,
) -> Result<()> {
    let record = change.record.as_str();
    let position = insert_event(tx, transaction_id, event::STATUS, record).await?;
    let update = query!(
        statements::UPDATE_PAYMENT,
        transaction_id,
        position,
        record,
        change.ending.map(<&str>::from),
        change.read_at,
        i64::from(change.has_moved),
    );
    tx.execute(update).await?;
    let event = Event {
        transaction_id,
        position,
        kind: kind_of_change(before, change.ending),
        record,
        ending: change.ending,
    };
    outbox::write(tx, event).await
}

/// Stores an event of a payment for streams. Returns its id.
pub(super) async fn insert_event(
    tx: &mut Transaction,
    transaction_id: &str,
    kind: &str,
    record: &str,
) -> Result<i64> {
    let id = tx.number(query!(statements::RESERVE_ID)).await?;
    let now = tx.clock.now;
    let insert = query!(
        statements::INSERT_EVENT,
        id,
        transaction_id,
        record,
        now,
        kind
    );
    tx.execute(insert).await?;
    Ok(id)
}
