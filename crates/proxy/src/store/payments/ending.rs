//! How payments have ended, or that money was seen for them: what the poller has read in the service's list, and what the
//! proxy itself did. The service may list a payment that the proxy has cancelled as "Created" forever.

use tender_ledger::{Ending, Meaning, Stage, is_created, is_same_status};
use tender_protocol::event;

use super::{Change, ListedChange, PaymentStore, statements};
use crate::clock::{Clock, Millis};
use crate::store::database::{Error, Result, Session, query};
use crate::store::outbox::{Event, EventKind, Outbox};

/// Stores what a new stage of its attempt means for a payment, as an event for the payment's streams, where that is news.
pub(crate) async fn follow_stage(
    session: &mut Session<'_>,
    clock: Clock,
    transaction_id: &str,
    stages: [&Stage<String>; 2],
    outbox: Outbox,
) -> Result<()> {
    let change = |latest: &Change| {
        let record = super::parse(&latest.record).ok()?;
        let is_changed_back = latest.has_moved && is_created(&record);
        let ending = Ending::after_stage(latest.ending, stages, is_changed_back);
        (ending != latest.ending).then_some(ending)
    };
    change_ending(session, clock, transaction_id, change, outbox).await
}

/// Writes an event of a payment whose ending was stored without one, for its streams and the shop's backend.
pub(crate) async fn announce(
    session: &mut Session<'_>,
    clock: Clock,
    transaction_id: &str,
    outbox: Outbox,
) -> Result<()> {
    let same = |latest: &Change| Some(latest.ending);
    change_ending(session, clock, transaction_id, same, outbox).await
}

impl PaymentStore {
    /// Stores how these payments have ended by their stored records, as events, where that is news.
    pub(crate) async fn end(
        &self,
        ids: Vec<String>,
        meaning: impl Fn(&str) -> Meaning + Send + Sync + 'static,
    ) -> Result<()> {
        let outbox = self.outbox;
        let ended = self.database.transaction(async move |session| {
            session.execute(query!(statements::LOCK_EVENTS)).await?;
            let clock = session.clock().await?;
            let change = |latest: &Change| {
                let meaning = meaning(&latest.record);
                is_news(meaning, latest.ending)
                    .then(|| Ending::next(latest.ending, meaning, latest.has_moved))
            };
            for id in &ids {
                change_ending(session, clock, id, change, outbox).await?;
            }
            announce_siblings(session, clock, &ids, outbox).await?;
            Ok(())
        });
        ended.await
    }
}

/// Stores the ending that `change` returns for the latest record of a payment, if it returns one. The caller has locked the
/// events, so no other transaction changes the payment meanwhile.
async fn change_ending(
    session: &mut Session<'_>,
    clock: Clock,
    transaction_id: &str,
    change: impl Fn(&Change) -> Option<Option<Ending>>,
    outbox: Outbox,
) -> Result<()> {
    let Some(latest) = super::latest(session, transaction_id).await? else {
        return Ok(());
    };
    let Some(ending) = change(&latest) else {
        return Ok(());
    };
    let id = reserve_id(session).await?;
    let ended = ending.map(Ending::as_str);
    let update = query!(statements::SET_ENDING, transaction_id, id, ended);
    session.execute(update).await?;
    let event = Event {
        transaction_id,
        position: id,
        kind: EventKind::of_change(latest.ending, ending),
        record: &latest.record,
        ending,
    };
    insert_event(session, clock, event, outbox).await
}

/// Whether a status says more of a payment than is stored. The operator may have mapped the status since it was read first.
pub(crate) fn is_news(meaning: Meaning, stored: Option<Ending>) -> bool {
    Ending::next(stored, meaning, false) != stored
}

/// Stores a record of the list that was asked for at `read_at`, as an event for the payment's streams, unless it is known
/// already or a newer one is stored.
pub(crate) async fn set_record(
    session: &mut Session<'_>,
    clock: Clock,
    change: ListedChange,
    read_at: Millis,
    outbox: Outbox,
) -> Result<()> {
    let latest = super::latest(session, &change.transaction_id).await?;
    let Some(latest) = latest.filter(|latest| latest.read_at <= read_at) else {
        return Ok(());
    };
    if latest.record == change.record && !is_news(change.meaning, latest.ending) {
        let confirmed = query!(statements::SET_CONFIRMED, change.transaction_id, read_at);
        return session.execute(confirmed).await.map(drop);
    }
    let id = reserve_id(session).await?;
    write_change(session, clock, id, &change, read_at, outbox).await?;
    announce_siblings(session, clock, &[change.transaction_id], outbox).await
}

/// If one of these payments is paid, writes an event of each other payment of its order: nothing more is to be paid to it.
pub(super) async fn announce_siblings(
    session: &mut Session<'_>,
    clock: Clock,
    ids: &[String],
    outbox: Outbox,
) -> Result<()> {
    for id in ids {
        let siblings = query!(statements::UNPAID_SIBLINGS, id.as_str());
        for (sibling,) in session.rows::<(String,)>(siblings).await? {
            announce(session, clock, &sibling, outbox).await?;
        }
    }
    Ok(())
}

/// Stores a record of the list and how the payment has ended by it, as the event `id`, unless a newer record is stored. The
/// id was reserved in this transaction, so no other one changes the payment meanwhile.
pub(super) async fn write_change(
    session: &mut Session<'_>,
    clock: Clock,
    id: i64,
    change: &ListedChange,
    read_at: Millis,
    outbox: Outbox,
) -> Result<()> {
    let latest = super::latest(session, &change.transaction_id).await?;
    let Some(latest) = latest.filter(|latest| latest.read_at <= read_at) else {
        return Ok(());
    };
    let [before, after] = [&latest.record, &change.record].map(|json| super::parse(json));
    let (before, after) = (before?, after?);
    let has_moved = latest.has_moved || !is_same_status(&before, &after);
    let ending = Ending::next(latest.ending, change.meaning, has_moved);
    let update = query!(
        statements::UPDATE_PAYMENT,
        change.transaction_id.clone(),
        id,
        change.record.clone(),
        ending.map(Ending::as_str),
        read_at,
        i64::from(has_moved),
    );
    session.execute(update).await?;
    let event = Event {
        transaction_id: &change.transaction_id,
        position: id,
        kind: EventKind::of_change(latest.ending, ending),
        record: &change.record,
        ending,
    };
    insert_event(session, clock, event, outbox).await
}

async fn reserve_id(session: &mut Session<'_>) -> Result<i64> {
    let id = session
        .row::<(i64,)>(query!(statements::RESERVE_ID))
        .await?;
    let (id,) = id.ok_or_else(|| Error::unreadable("the row of `polling` is missing"))?;
    Ok(id)
}

/// Stores an event for the payment's streams and for the shop's backend.
async fn insert_event(
    session: &mut Session<'_>,
    clock: Clock,
    event: Event<'_>,
    outbox: Outbox,
) -> Result<()> {
    let insert = query!(
        statements::INSERT_EVENT,
        event.position,
        event.transaction_id,
        event.record,
        clock.now,
        event::STATUS,
    );
    session.execute(insert).await?;
    outbox.write(session, clock, event).await
}
