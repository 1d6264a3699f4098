//! Which payments are older and which newer than an attempt's can be: so that a search in the service's
//! list need not read all of it.

use super::{Entry, Ledger, statements};

impl Ledger {
    /// Whether a payment was created before the service was asked for an attempt's.
    pub(crate) async fn is_older(&self, transaction_id: &str, entry: &Entry) -> sqlx::Result<bool> {
        let known = sqlx::query_scalar::<_, i64>(statements::CREATED_BEFORE)
            .bind(transaction_id)
            .bind(entry.asked_at);
        Ok(known.fetch_one(self.pool()).await? > 0)
    }

    /// Whether a payment was created after everything had settled that the service was asked for an
    /// attempt's.
    pub(crate) async fn is_newer(&self, transaction_id: &str, entry: &Entry) -> sqlx::Result<bool> {
        let known = sqlx::query_scalar::<_, i64>(statements::CREATED_AFTER)
            .bind(transaction_id)
            .bind(entry.settles_at);
        Ok(known.fetch_one(self.pool()).await? > 0)
    }

    /// How many payments are newer in that sense, of those that the ledger knows.
    pub(crate) async fn count_newer(&self, entry: &Entry) -> sqlx::Result<usize> {
        let known = sqlx::query_scalar::<_, i64>(statements::ALL_CREATED_AFTER);
        let known = known.bind(entry.settles_at).fetch_one(self.pool()).await?;
        Ok(usize::try_from(known).unwrap_or(0))
    }
}
