//! The outbox: events of payments for the shop's backend.
//!
//! An event is written in the transaction that records the change, so it is never lost. The events of
//! a payment are sent in their order: one waits until the previous one was delivered, given up or set aside. The
//! instance that sends an event holds a lease of it, with a fencing number as for attempts. If the
//! instance dies, another one sends the event again when the lease has expired.
//!
//! Only payments that were created through this proxy have events.

mod claim;
mod listing;
#[cfg(test)]
mod tests;

pub(crate) use self::claim::{DeliveryResult, DueEvent, Verdict};
pub(crate) use self::listing::Filter;
use super::{BATCH, RETENTION, Transaction, new_id};
use crate::clock::{Clock, millis};
use crate::store::database::{Query, Result, query};
use tender_ledger::{Facts, OrderMoney, PaymentFate};
use tender_protocol::EventKind;

/// After so many tries, an event that asks nothing of the shop is set aside: it is sent again by its schedule, but later ones of its
/// payment no longer wait for it. One of them may say that it is paid.
const TRIES_IN_ORDER: u32 = 3;

/// The condition of events that are set aside, among those that wait, for the columns of the innermost `FROM`.
macro_rules! set_aside {
    () => {
        "(kind IN ('payment.created', 'payment.updated') AND tries >= 3)"
    };
}
use set_aside;

/// The same for an event of this `type` that waits and was sent `tries` times.
fn is_set_aside(kind: &str, tries: u32) -> bool {
    let [created, updated] = [EventKind::Created, EventKind::Updated].map(EventKind::as_str);
    (kind == created || kind == updated) && tries >= TRIES_IN_ORDER
}

/// While an earlier event of the payment is waited for, this one is due at the same time, so that the search
/// for events that are due does not find it each time. One that was written before is not written again.
const INSERT: &str = concat!(
    "
    INSERT INTO outbox (id, transaction_id, position, kind, record, ending, of_order, written_at, state, tries,
        due_at, fence, lease_until, signed_order)
    SELECT $1, $2, $3, $4, $5, $6, $8, $7, 'waiting', 0,
        COALESCE((SELECT MAX(due_at) FROM outbox
            WHERE transaction_id = $2 AND state = 'waiting' AND NOT ",
    set_aside!(),
    "), $7), 0, 0, signed_order
    FROM attempts WHERE transaction_id = $2 AND fingerprint <> ''
        AND NOT EXISTS (SELECT 1 FROM outbox WHERE transaction_id = $2 AND position = $3)"
);

/// Ids begin with `msg_` and the time, as ages are counted.
const PRUNE: &str = "
    DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE id < $1 ORDER BY id LIMIT $2)";

pub(crate) struct Event<'a> {
    pub(crate) transaction_id: &'a str,
    /// The order of a payment's events: 0 for its creation, otherwise the id of the change.
    pub(crate) position: i64,
    pub(crate) kind: EventKind,
    pub(crate) record: &'a str,
    pub(crate) facts: Facts,
}

/// Writes an event, if there is a receiver and the payment was created through this proxy.
pub(crate) async fn write(tx: &mut Transaction, event: Event<'_>) -> Result<()> {
    if tx.config.notifications.url.is_none() {
        return Ok(());
    }
    let now = tx.clock.now;
    let insert = query!(
        INSERT,
        format!("msg_{}", new_id(tx.clock.age())?),
        event.transaction_id,
        event.position,
        event.kind.as_str(),
        event.record,
        event.facts.fate.map(<&str>::from),
        now,
        event.facts.order.map(<&str>::from),
    );
    tx.execute(insert).await.map(drop)
}

/// What a change means, by what was known before and after it.
pub(crate) fn kind_of_change(before: Facts, after: Facts) -> EventKind {
    match after.fate {
        fate if before.fate == fate => EventKind::Updated,
        Some(PaymentFate::Paid) => EventKind::Paid,
        _ if after.order == Some(OrderMoney::Paid) => EventKind::Updated,
        Some(PaymentFate::Closed) => EventKind::Closed,
        Some(PaymentFate::Pending) => EventKind::Pending,
        Some(PaymentFate::Underpaid) => EventKind::Underpaid,
        Some(PaymentFate::Unknown | PaymentFate::Seen) | None => EventKind::Updated,
    }
}

/// Prunes a batch of the events that are older than any payment may be.
pub(crate) fn prune(clock: Clock) -> Query {
    let before = clock.age().saturating_sub(millis(RETENTION)).max(0);
    query!(PRUNE, format!("msg_{before:012x}"), BATCH)
}
