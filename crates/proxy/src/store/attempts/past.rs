//! Pruned attempts: what is remembered of them, without data of the buyer.
//!
//! A shop may sign an order again after its attempt was pruned. As long as the order is remembered,
//! it does not get a second payment.

use std::time::Duration;

use super::AttemptStore;
use super::attempt::digest;
use super::statements::unresolved;
use super::stored_attempt::CreatedPayment;
use crate::clock::{Millis, millis};
use crate::store::database::{Result, Session, query};
use crate::store::payments;
use crate::store::payments::Ending;

/// The attempts whose retention has ended at `$1`, except refused ones. While the payment of a signed
/// order is unresolved, the merchant has to see it, if the attempt was stored last after `$2`.
macro_rules! outdated {
    () => {
        concat!(
            "kept_until < $1 AND lease_until < $1 AND stage <> 'refused'
            AND NOT (order_id IS NOT NULL AND written_at > $2 AND ",
            unresolved!(),
            ")"
        )
    };
}

/// Copies the attempts that are deleted next.
const ARCHIVE: &str = concat!(
    "INSERT INTO past_attempts
        (id, order_id, fingerprint, stage, transaction_id, begun_at, written_at)
    SELECT id, order_id, fingerprint, stage, transaction_id, begun_at, written_at FROM attempts
    WHERE ",
    outdated!(),
    " ORDER BY kept_until LIMIT $3
    ON CONFLICT (id) DO UPDATE SET stage = excluded.stage,
        transaction_id = excluded.transaction_id, written_at = excluded.written_at"
);

const DELETE_ARCHIVED: &str = concat!(
    "DELETE FROM attempts WHERE ",
    outdated!(),
    " AND EXISTS (SELECT 1 FROM past_attempts WHERE past_attempts.id = attempts.id)"
);

/// The service created nothing for these attempts, so nothing has to be remembered of them.
const DELETE_REFUSED: &str = "
    DELETE FROM attempts WHERE id IN (
        SELECT id FROM attempts WHERE kept_until < $1 AND lease_until < $1 AND stage = 'refused'
        ORDER BY kept_until LIMIT $2)";

const PRUNE: &str = "
    DELETE FROM past_attempts WHERE id IN (
        SELECT id FROM past_attempts WHERE written_at < $1 ORDER BY written_at LIMIT $2)";

/// The attempts that may have left a payment. The other ones have freed the order. They are few, so they are not
/// sorted: SQLite would build a temporary table for each create.
pub(super) const OF_ORDER: &str = "
    SELECT fingerprint, stage, transaction_id, begun_at FROM past_attempts
    WHERE order_id = $1 AND stage NOT IN ('ended', 'refused')";

/// Remembers that a payment is closed, so that its order can be paid again.
pub(super) const END: &str = "UPDATE past_attempts SET stage = 'ended' WHERE transaction_id = $1";

/// Past attempts that may have this payment. Their invoice numbers are only stored as digests, so
/// any attempt whose payment is not known may have it.
const MAY_HAVE_PAYMENT: &str = "
    SELECT COUNT(*) FROM past_attempts
    WHERE transaction_id = $1 OR order_id = $2
        OR (transaction_id IS NULL AND stage NOT IN ('ended', 'refused'))";

impl AttemptStore {
    /// Whether a payment with this invoice number in the list may belong to a past attempt.
    pub(crate) async fn may_be_of_past_order(
        &self,
        transaction_id: &str,
        invoice_number: &str,
    ) -> Result<bool> {
        let order_id = digest(&[invoice_number]);
        let count = query!(MAY_HAVE_PAYMENT, transaction_id, order_id);
        Ok(self.database.number(count).await? > 0)
    }
}

/// What is remembered of an order.
pub(super) enum Remembered {
    /// Its payment, whose record is still stored, for the same request.
    Payment(CreatedPayment),
    /// It had a payment, or may have had one. The record may be stored, for another request.
    Outcome(Option<CreatedPayment>),
}

/// What is remembered of an order; `None` if it can get a new payment.
pub(super) async fn find(
    session: &mut Session<'_>,
    order_id: &str,
    fingerprint: &str,
) -> Result<Option<Remembered>> {
    let found = query!(OF_ORDER, order_id);
    let found = session
        .rows::<(String, String, Option<String>, Millis)>(found)
        .await?;
    let latest = found.into_iter().max_by_key(|(.., begun_at)| *begun_at);
    let Some((past, stage, transaction_id, _)) = latest else {
        return Ok(None);
    };
    let Some(transaction_id) = transaction_id.filter(|_| stage == "created") else {
        return Ok(Some(Remembered::Outcome(None)));
    };
    let latest = payments::latest(session, &transaction_id).await?;
    if latest
        .as_ref()
        .is_some_and(|latest| latest.ending == Some(Ending::Closed))
    {
        return Ok(None);
    }
    let payment = latest.and_then(|latest| CreatedPayment::parse(&latest.record));
    Ok(Some(match payment {
        Some(payment) if past == fingerprint => Remembered::Payment(payment),
        payment => Remembered::Outcome(payment),
    }))
}

/// Archives up to `batch` attempts whose retention has ended at `now`, oldest first, deletes up to as
/// many refused ones, and forgets up to as many archived ones that are older than `memory`. Returns
/// how many attempts are gone.
pub(super) async fn archive(
    session: &mut Session<'_>,
    now: Millis,
    batch: i64,
    memory: Duration,
) -> Result<u64> {
    let since = now.saturating_sub(millis(memory));
    session.execute(query!(ARCHIVE, now, since, batch)).await?;
    let archived = session.execute(query!(DELETE_ARCHIVED, now, since)).await?;
    let refused = session.execute(query!(DELETE_REFUSED, now, batch)).await?;
    // The merchant's list counts the attempts of payments that are still stored.
    let before = now.saturating_sub(millis(memory.max(payments::RETENTION)));
    session.execute(query!(PRUNE, before, batch)).await?;
    Ok(archived + refused)
}
