//! Prunes attempts: after their retention, the data of the buyer; after the memory of orders, the rest.
//!
//! A shop may sign an order again after its attempt was pruned. As long as the order is remembered, it does not get a
//! second payment.

use super::statements::outdated;
use crate::clock::{Millis, millis};
use crate::store::database::{self, query};
use crate::store::{RETENTION, Store};

const DELETE_KEYS: &str = concat!(
    "DELETE FROM attempt_keys WHERE attempt_id IN (SELECT id FROM attempts WHERE ",
    outdated!(),
    " ORDER BY kept_until LIMIT $3)"
);

/// Removes the data of the buyer, not what the shop has signed. `$4` is until when the rest is kept.
const ERASE: &str = concat!(
    "UPDATE attempts SET request = '', record = NULL, kept_until = $4
    WHERE id IN (SELECT id FROM attempts WHERE ",
    outdated!(),
    " ORDER BY kept_until LIMIT $3)"
);

/// What is left of attempts that were stored last before `$2`, and refused ones, which left nothing.
macro_rules! forgotten {
    ($delete:literal, $column:literal) => {
        concat!(
            $delete,
            " IN (SELECT ",
            $column,
            " FROM attempts WHERE kept_until < $1 AND lease_until < $1
                AND (stage = 'refused' OR (request = '' AND written_at < $2))
            ORDER BY kept_until LIMIT $3)"
        )
    };
}

const DELETE_MONEY: &str = forgotten!(
    "DELETE FROM order_money WHERE transaction_id",
    "transaction_id"
);

const DELETE_MARKS: &str = forgotten!(
    "DELETE FROM sent_marks WHERE transaction_id",
    "transaction_id"
);

const DELETE_CONTRADICTIONS: &str = forgotten!(
    "DELETE FROM contradictions WHERE transaction_id",
    "transaction_id"
);

const DELETE: &str = forgotten!("DELETE FROM attempts WHERE id", "id");

impl Store {
    /// Erases up to `batch` attempts whose retention has ended at this age, oldest first, and deletes up to as many.
    pub(crate) async fn prune_attempts(&self, age: Millis, batch: i64) -> database::Result<u64> {
        // The merchant's list counts the attempts of payments that are still stored.
        let memory = millis(self.settings.order_memory.max(RETENTION));
        let since = age.saturating_sub(memory);
        let mut tx = self.transaction().await?;
        tx.execute(query!(DELETE_KEYS, age, since, batch)).await?;
        let erase = query!(ERASE, age, since, batch, age.saturating_add(memory));
        let erased = tx.execute(erase).await?;
        for facts in [DELETE_MONEY, DELETE_MARKS, DELETE_CONTRADICTIONS] {
            tx.execute(query!(facts, age, since, batch)).await?;
        }
        let deleted = tx.execute(query!(DELETE, age, since, batch)).await?;
        tx.commit().await?;
        Ok(erased + deleted)
    }
}
