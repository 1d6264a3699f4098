//! What is stored when the database was restored from a backup: since when everything is known, and the payments that the backup
//! lacks. A new attempt of a signed order that may have one of them begins with a search.

use std::collections::HashSet;

use tender_ledger::{fold, listed_forms};
use tender_protocol::{CreatePayment, Record};

use super::{Store, Transaction, payments};
use crate::clock::{Millis, rfc3339};
use crate::store::attempts::listed_id;
use crate::store::database::{Error, Result, query};

/// The ids of events that are left out, so that none of the backup's successors is used again: streams would take it for known.
const LEFT_OUT: i64 = 1_000_000_000;

const LEAVE_OUT: &str = "
    UPDATE polling SET last_event = last_event + $1 RETURNING last_event - $1";

const NOTE: &str = "UPDATE memory SET since = $1, last_event = $2";

const ADD_MISSING: &str = "
    INSERT INTO missing_payments (transaction_id, invoice_id, kept_until) VALUES ($1, $2, $3)
    ON CONFLICT (transaction_id) DO UPDATE SET kept_until = excluded.kept_until";

const COUNT_PAYMENTS: &str = "SELECT COUNT(*) FROM attempts WHERE stage = 'created'";

/// The attempts of signed orders whose payment may ask for money.
const OPEN: &str = "
    SELECT id, transaction_id, request FROM attempts
    WHERE stage = 'created' AND order_id IS NOT NULL AND request <> '' ORDER BY id";

const END: &str = "UPDATE attempts SET stage = 'ended' WHERE id = $1";

const SINCE: &str = "SELECT since FROM memory";

const PRUNE: &str = "
    DELETE FROM missing_payments WHERE transaction_id IN (
        SELECT transaction_id FROM missing_payments WHERE kept_until < $1 LIMIT $2)";

impl Store {
    /// Whether the service must list a payment of this database.
    pub(crate) async fn has_payments(&self) -> Result<bool> {
        Ok(self.database.number(query!(COUNT_PAYMENTS)).await? > 0)
    }

    /// Notes that the database was restored from a backup, and the payments that the service lists and that it lacks, by
    /// transactionId: the newest first. Their orders' earlier payments no longer ask for money: they were cancelled after the backup,
    /// or the merchant has released them.
    pub(crate) async fn note_restore(&self, missing: &[(String, Record)]) -> Result<()> {
        let mut tx = self.transaction().await?;
        let earlier = end_earlier(&mut tx, missing).await?;
        let backup = tx.number(query!(LEAVE_OUT, LEFT_OUT)).await?;
        let now = tx.clock.now;
        tx.execute(query!(NOTE, now, backup)).await?;
        payments::add_listed(&mut tx, missing).await?;
        let kept_until = tx.clock.kept_for(self.config.store.memory());
        for (id, record) in missing {
            if let Some(invoice) = record.text("invoiceNumber") {
                let add = query!(ADD_MISSING, &**id, listed_id(&invoice), kept_until);
                tx.execute(add).await?;
            }
        }
        for payment in earlier {
            payments::set_unknown(&mut tx, &payment).await?;
            payments::tell_shop(&mut tx, &payment).await?;
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

/// Ends the attempts whose orders have one of these payments. Returns their own ones.
async fn end_earlier(tx: &mut Transaction, missing: &[(String, Record)]) -> Result<Vec<String>> {
    let listed = missing
        .iter()
        .filter_map(|(_, record)| record.text("invoiceNumber"));
    let listed: HashSet<_> = listed.map(|invoice| fold(&invoice)).collect();
    let mut ended = Vec::new();
    for (id, payment, request) in tx.rows::<(String, String, String)>(query!(OPEN)).await? {
        let request = serde_json::from_str::<CreatePayment>(&request);
        let request = request.map_err(Error::unreadable)?;
        let mut forms = listed_forms(&request.invoice_number).into_iter();
        if forms.any(|form| listed.contains(&form)) {
            tx.execute(query!(END, id)).await?;
            ended.push(payment);
        }
    }
    Ok(ended)
}
