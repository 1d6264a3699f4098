//! Sending events: leases of single events, and the receiver's answers.

use std::time::Duration;

use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};
use tender_ledger::Facts;
use tender_protocol::DeliveryState;
use tender_protocol::request::SignedOrder;

use super::{is_set_aside, set_aside};
use crate::clock::{Instant, Millis, millis};
use crate::store::Store;
use crate::store::database::{Result, Value, query, undecodable};
use crate::store::lease::{Lease, StoredLease, claim_lease};
use crate::store::payments;

/// The events that are due by the database's clock, without those that are being sent and those that wait for an earlier one of
/// their payment. The index contains waiting events only, by `due_at`. Rows that an instance of an older version has written
/// have no order: then it is in the attempt, or at least in its request.
pub(super) const DUE: &str = concat!(
    "
    SELECT id, transaction_id, position, kind, record, ending, of_order, 0 AS marks, written_at, tries, fence, lease_until,
        COALESCE(signed_order, (SELECT COALESCE(signed_order, NULLIF(request, '')) FROM attempts
            WHERE attempts.transaction_id = event.transaction_id AND order_id IS NOT NULL)) AS signed_order
    FROM outbox AS event
    WHERE state = 'waiting' AND due_at <= $1 AND (lease_until <= $1 OR lease_until > $3)
        AND NOT EXISTS (SELECT 1 FROM outbox AS earlier
            WHERE earlier.transaction_id = event.transaction_id
                AND earlier.position < event.position AND earlier.state = 'waiting' AND NOT ",
    set_aside!(),
    ")
    ORDER BY due_at LIMIT $2"
);

const CLAIM_LEASE: &str = claim_lease!("outbox", "resend = 0", "AND id = $4 AND state = 'waiting'");

const FINISH: &str = "
    UPDATE outbox SET state = CASE WHEN resend = 1 THEN 'waiting' ELSE $3 END,
        tries = CASE WHEN resend = 1 THEN 0 ELSE tries + 1 END,
        due_at = CASE WHEN resend = 1 THEN $6 ELSE $4 END, resend = 0, lease_until = 0, answer = $5, answered_at = $6
    WHERE fence = $1 AND id = $2";

const NEXT_DUE: &str = "SELECT COALESCE(MIN(due_at), 0) FROM outbox WHERE state = 'waiting'";

/// The later events of the payment wait for this one, or are due now.
const SET_DUE_OF_LATER: &str = "
    UPDATE outbox SET due_at = $3
    WHERE transaction_id = $1 AND position > $2 AND state = 'waiting'";

/// An event that may be sent now.
#[derive(Debug)]
pub(crate) struct DueEvent {
    pub(crate) id: String,
    pub(crate) transaction_id: String,
    pub(super) position: i64,
    /// The event's `type`.
    pub(crate) kind: String,
    pub(crate) record: String,
    pub(crate) facts: Facts,
    /// What the shop signed, if it did.
    pub(crate) signed_order: Option<SignedOrder>,
    pub(crate) written_at: Millis,
    /// How often it was sent before.
    pub(crate) tries: u32,
    lease: StoredLease,
}

/// What the receiver's answer means for an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Delivered,
    /// Send it again after this time.
    TryAgain(Duration),
    GivenUp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeliveryResult {
    /// The receiver's answer, or why there was none.
    pub(crate) answer: String,
    pub(crate) verdict: Verdict,
}

impl Store {
    /// Claims up to `limit` events that are due, to send each within `call`. Of each payment there is at most one, besides those
    /// that are set aside. The lease of one that is not sent ends by itself.
    pub(crate) async fn claim_events(
        &self,
        limit: usize,
        call: Duration,
    ) -> Result<Vec<(DueEvent, Lease)>> {
        let clock = self.clock().await?;
        let now = clock.now;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let invalid = now.saturating_add(millis(StoredLease::MAX_AHEAD));
        let due = query!(DUE, now, limit, invalid);
        let mut due = self.database.rows::<DueEvent>(due).await?;
        due.retain(|DueEvent { id, lease, .. }| {
            self.observed.ends(id, *lease, clock, call) <= Instant::now()
        });
        if due.is_empty() {
            return Ok(Vec::new());
        }
        // In an order of all instances.
        due.sort_unstable_by(|one, other| one.id.cmp(&other.id));
        let mut tx = self.transaction().await?;
        let clock = tx.clock;
        let mut claimed = Vec::new();
        for event in due {
            let id = Value::from(event.id.clone());
            let lease = (event.lease).claim(&mut tx, clock, call, CLAIM_LEASE, [id]);
            if let Some(lease) = lease.await? {
                claimed.push((event, lease));
            }
        }
        tx.commit().await?;
        Ok(claimed)
    }

    /// Time until an event is due; `None` if none waits.
    pub(crate) async fn next_event_in(&self) -> Result<Option<Duration>> {
        let clock = self.clock().await?;
        let due_at = self.database.number(query!(NEXT_DUE)).await?;
        Ok((due_at > 0).then(|| clock.until(due_at)))
    }

    /// Stores the end of a try and releases the lease.
    pub(crate) async fn finish_event(
        &self,
        event: &DueEvent,
        lease: Lease,
        result: DeliveryResult,
    ) -> Result<()> {
        let mut tx = self.transaction().await?;
        let clock = tx.clock;
        let (state, due_at) = match result.verdict {
            Verdict::Delivered => (DeliveryState::Delivered, clock.now),
            Verdict::GivenUp => (DeliveryState::GivenUp, clock.now),
            Verdict::TryAgain(pause) => (DeliveryState::Waiting, clock.after(pause)),
        };
        let values: [Value; 5] = [
            event.id.clone().into(),
            state.as_str().into(),
            due_at.into(),
            result.answer.into(),
            clock.now.into(),
        ];
        lease.write(&mut tx, FINISH, values).await?;
        if !is_set_aside(&event.kind, event.tries) {
            let (of, after) = (&*event.transaction_id, event.position);
            let is_set_aside = event.is_set_aside_by(result.verdict);
            let due_at = if is_set_aside { clock.now } else { due_at };
            let later = query!(SET_DUE_OF_LATER, of, after, due_at);
            tx.execute(later).await?;
        }
        tx.commit().await
    }
}

impl DueEvent {
    /// Whether the end of this try sets the event aside: later ones of the payment no longer wait for it.
    pub(crate) fn is_set_aside_by(&self, verdict: Verdict) -> bool {
        let [before, after] = [self.tries, self.tries.saturating_add(1)];
        matches!(verdict, Verdict::TryAgain(_))
            && is_set_aside(&self.kind, after)
            && !is_set_aside(&self.kind, before)
    }
}

impl FromRow<'_, AnyRow> for DueEvent {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        let signed: Option<String> = row.try_get("signed_order")?;
        let signed = signed.map(|json| serde_json::from_str(&json).map_err(undecodable));
        Ok(Self {
            id: row.try_get("id")?,
            transaction_id: row.try_get("transaction_id")?,
            position: row.try_get("position")?,
            kind: row.try_get("kind")?,
            record: row.try_get("record")?,
            facts: payments::facts(row)?,
            signed_order: signed.transpose()?,
            written_at: row.try_get("written_at")?,
            tries: u32::try_from(row.try_get::<i64, _>("tries")?).unwrap_or(u32::MAX),
            lease: StoredLease::from_row(row)?,
        })
    }
}
