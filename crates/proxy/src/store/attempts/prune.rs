//! Prunes attempts: after their retention, the data of the buyer; after the memory of orders, the rest.
//!
//! Of a signed order, everything else stays until then: a shop may sign it again, and asks for its payments. It never gets a second
//! payment because something was forgotten. Of other attempts, only the transactionId stays.

use tender_protocol::Payment;

use super::statements;
use crate::clock::{Millis, millis};
use crate::store::database::{self, query};
use crate::store::{RETENTION, Store, Transaction, payments};

/// The columns of [`statements::OUTDATED`].
type Outdated = (
    String,
    i64,
    Option<String>,
    Option<String>,
    String,
    Option<String>,
);

impl Store {
    /// Erases up to `batch` attempts whose retention has ended at this age, oldest first, and deletes up to as many.
    pub(crate) async fn prune_attempts(&self, age: Millis, batch: i64) -> database::Result<u64> {
        let memory = millis(self.config.store.memory());
        let since = age.saturating_sub(memory);
        let in_doubt_since = since.saturating_add(millis(RETENTION));
        let mut tx = self.transaction().await?;
        let outdated = query!(statements::OUTDATED, age, in_doubt_since, batch);
        let outdated = tx.rows::<Outdated>(outdated).await?;
        erase(&mut tx, &outdated, age.saturating_add(memory)).await?;
        tx.commit().await?;

        let mut tx = self.transaction().await?;
        let forgotten = query!(statements::FORGOTTEN, age, since, batch);
        let forgotten = tx.rows::<(String, Option<String>)>(forgotten).await?;
        forget(&mut tx, &forgotten, age).await?;
        tx.commit().await?;
        Ok((outdated.len() + forgotten.len()) as u64)
    }
}

/// Erases the data of the buyer, in the order of locks.
async fn erase(
    tx: &mut Transaction,
    outdated: &[Outdated],
    kept_until: Millis,
) -> database::Result<()> {
    let mut signed = Vec::new();
    for (id, fence, order, payment, request, record) in outdated {
        let is_signed = order.is_some();
        let request = Some(request).filter(|request| is_signed && !request.is_empty());
        let request = request.map(|request| Payment::without_buyer(request));
        let record = record.as_deref().filter(|_| is_signed);
        let erase = query!(
            statements::ERASE,
            &**id,
            *fence,
            request.unwrap_or_default(),
            record.map(Payment::without_buyer),
            kept_until,
        );
        if tx.execute(erase).await? == 1 {
            let delete = query!(statements::DELETE_KEYS, &**id);
            tx.execute(delete).await?;
            signed.extend(payment.as_ref().filter(|_| is_signed));
        }
    }
    if signed.is_empty() {
        return Ok(());
    }
    payments::lock(tx).await?;
    for payment in signed {
        payments::keep_without_buyer(tx, payment).await?;
    }
    Ok(())
}

/// Deletes attempts and what is known of their payments, in the order of locks.
async fn forget(
    tx: &mut Transaction,
    forgotten: &[(String, Option<String>)],
    age: Millis,
) -> database::Result<()> {
    let mut payments = Vec::new();
    for (id, payment) in forgotten {
        let delete = query!(statements::DELETE_FORGOTTEN, &**id, age);
        if tx.execute(delete).await? == 1 {
            payments.extend(payment);
        }
    }
    if payments.is_empty() {
        return Ok(());
    }
    payments::lock(tx).await?;
    for payment in payments {
        for facts in statements::DELETE_FACTS {
            tx.execute(query!(facts, &**payment)).await?;
        }
    }
    Ok(())
}
