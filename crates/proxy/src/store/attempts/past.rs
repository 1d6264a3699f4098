//! Pruned attempts: what is remembered of them, without data of the buyer.
//!
//! A shop may sign an order again after its attempt was pruned. As long as the order is remembered,
//! it does not get a second payment.

use std::time::Duration;

use super::stored_attempt::CreatedPayment;
use crate::store::database::{Millis, Result, Session, millis, query};
use crate::store::payments;
use crate::store::payments::Ending;

/// Copies the attempts that are deleted next.
const ARCHIVE: &str = "
    INSERT INTO past_attempts
        (id, order_id, fingerprint, stage, transaction_id, begun_at, written_at)
    SELECT id, order_id, fingerprint, stage, transaction_id, begun_at, written_at FROM attempts
    WHERE kept_until < $1 AND lease_until < $1 ORDER BY kept_until LIMIT $2
    ON CONFLICT DO NOTHING";

const PRUNE: &str = "
    DELETE FROM past_attempts WHERE id IN (
        SELECT id FROM past_attempts WHERE written_at < $1 ORDER BY written_at LIMIT $2)";

/// The attempt that may have left a payment. The other ones have freed the order.
const OF_ORDER: &str = "
    SELECT fingerprint, stage, transaction_id FROM past_attempts
    WHERE order_id = $1 AND stage NOT IN ('ended', 'refused') ORDER BY begun_at DESC LIMIT 1";

/// What is remembered of an order.
pub(super) enum Remembered {
    /// Its payment, whose record is still stored.
    Payment(CreatedPayment),
    /// It had a payment, or may have had one.
    Outcome,
}

/// What is remembered of an order; `None` if it can get a new payment.
pub(super) async fn find(
    session: &mut Session<'_>,
    order_id: &str,
    fingerprint: &str,
) -> Result<Option<Remembered>> {
    let found = query!(OF_ORDER, order_id.to_owned());
    let found = session
        .row::<(String, String, Option<String>)>(found)
        .await?;
    let Some((past, stage, transaction_id)) = found else {
        return Ok(None);
    };
    let Some(transaction_id) = transaction_id.filter(|_| stage == "created") else {
        return Ok(Some(Remembered::Outcome));
    };
    let latest = payments::latest(session, &transaction_id).await?;
    if latest
        .as_ref()
        .is_some_and(|latest| latest.ending == Some(Ending::Closed))
    {
        return Ok(None);
    }
    let latest = latest.filter(|_| past == fingerprint);
    let payment = latest.and_then(|latest| CreatedPayment::parse(&latest.record));
    Ok(Some(
        payment.map_or(Remembered::Outcome, Remembered::Payment),
    ))
}

/// Copies up to `batch` attempts whose retention has ended at `now`, oldest first, and forgets up to
/// as many that are older than `memory`.
pub(super) async fn archive(
    session: &mut Session<'_>,
    now: Millis,
    batch: i64,
    memory: Duration,
) -> Result<()> {
    session.execute(query!(ARCHIVE, now, batch)).await?;
    // The merchant's list counts the attempts of payments that are still stored.
    let before = now.saturating_sub(millis(memory.max(payments::RETENTION)));
    session
        .execute(query!(PRUNE, before, batch))
        .await
        .map(drop)
}
