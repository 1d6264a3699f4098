//! Pruning old events.

use crate::clock::Clock;
use crate::store::database::{Result, Session, query};
use crate::store::limits::{BATCH, RETENTION};

/// Ids begin with `msg_` and the time.
const PRUNE: &str = "
    DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE id < $1 ORDER BY id LIMIT $2)";

/// Prunes a batch of the events that are older than any payment may be. Returns how many there were.
pub(crate) async fn prune(session: &mut Session<'_>, clock: Clock) -> Result<u64> {
    let before = format!("msg_{:012x}", clock.before(RETENTION).max(0));
    session.execute(query!(PRUNE, before, BATCH)).await
}
