//! What is stored when the database was restored from a backup: since when everything is known, and the payments that the backup
//! lacks. A new attempt of a signed order that may have one of them begins with a search.

use tender_protocol::Record;

use super::{Store, Transaction, payments, to_json};
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

/// A payment that the service lists, and that the backup lacks.
pub(crate) struct Missing {
    pub(crate) transaction_id: String,
    pub(crate) record: Record,
}

impl Store {
    /// Notes that the database was restored from a backup, and the payments that it lacks: the newest first.
    pub(crate) async fn note_restore(&self, missing: &[Missing]) -> Result<()> {
        let mut tx = self.transaction().await?;
        let backup = tx.number(query!(LEAVE_OUT, LEFT_OUT)).await?;
        let now = tx.clock.now;
        tx.execute(query!(NOTE, now, backup)).await?;
        let listed = missing.iter().map(|payment| {
            let record = to_json(&payment.record)?;
            Ok((payment.transaction_id.clone(), record))
        });
        let listed = listed.collect::<Result<Vec<_>>>()?;
        payments::add_listed(&mut tx, &listed).await?;
        let kept_until = tx.clock.kept_for(self.config.store.memory());
        for payment in missing {
            add_missing(&mut tx, payment, kept_until).await?;
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

async fn add_missing(tx: &mut Transaction, payment: &Missing, kept_until: Millis) -> Result<()> {
    let Some(invoice) = payment.record.text("invoiceNumber") else {
        return Ok(());
    };
    let add = query!(
        ADD_MISSING,
        &*payment.transaction_id,
        missing_id(&invoice),
        kept_until
    );
    tx.execute(add).await.map(drop)
}
