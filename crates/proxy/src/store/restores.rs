//! What is stored when the database was restored from a backup: since when everything is known, and the payments that the backup
//! lacks. A new attempt of a signed order that may have one of them begins with a search.

use tender_protocol::Record;

use super::{Store, payments};
use crate::clock::{Millis, rfc3339};
use crate::store::attempts::missing_id;
use crate::store::database::{Result, query};

/// The ids of events that are left out, so that none of the backup's successors is used again: streams would take it for known.
const LEFT_OUT: i64 = 1_000_000_000;

const LEAVE_OUT: &str = "
    UPDATE polling SET last_event = last_event + $1 RETURNING last_event - $1";

const NOTE: &str = "UPDATE memory SET since = $1, last_event = $2";

const ADD_MISSING: &str = "
    INSERT INTO missing_payments (transaction_id, invoice_id, kept_until) VALUES ($1, $2, $3)
    ON CONFLICT (transaction_id) DO UPDATE SET kept_until = excluded.kept_until";

const SINCE: &str = "SELECT since FROM memory";

const PRUNE: &str = "
    DELETE FROM missing_payments WHERE transaction_id IN (
        SELECT transaction_id FROM missing_payments WHERE kept_until < $1 LIMIT $2)";

impl Store {
    /// Notes that the database was restored from a backup, and the payments that the service lists and that it lacks, by
    /// transactionId: the newest first.
    pub(crate) async fn note_restore(&self, missing: &[(String, Record)]) -> Result<()> {
        let mut tx = self.transaction().await?;
        let backup = tx.number(query!(LEAVE_OUT, LEFT_OUT)).await?;
        let now = tx.clock.now;
        tx.execute(query!(NOTE, now, backup)).await?;
        payments::add_listed(&mut tx, missing).await?;
        let kept_until = tx.clock.kept_for(self.config.store.memory());
        for (id, record) in missing {
            if let Some(invoice) = record.text("invoiceNumber") {
                let missing = missing_id(&invoice);
                let add = query!(ADD_MISSING, &**id, missing, kept_until);
                tx.execute(add).await?;
            }
        }
        tx.commit().await
    }

    /// Since when everything is known, as RFC 3339 writes it; `None` if the database was never restored.
    pub(crate) async fn memory_since(&self) -> Result<Option<String>> {
        let since = self.database.number(query!(SINCE)).await?;
        Ok((since > 0).then(|| rfc3339(since)))
    }

    /// Prunes a batch of the payments whose orders are forgotten at this age. Returns their number.
    pub(crate) async fn prune_missing(&self, age: Millis, batch: i64) -> Result<u64> {
        self.database.write(query!(PRUNE, age, batch)).await
    }
}
