//! All SQL statements of the attempt store, for both SQLite and PostgreSQL.

use crate::store::lease::claim_lease;

/// Selects attempts. Columns are named in every statement, so that a running older instance keeps
/// working after a newer one has added a column; it can't be started again.
macro_rules! select {
    ($($rest:literal)*) => {
        concat!(
            "SELECT id, order_id, fingerprint, request, begun_at, stage, fence, lease_until,
                called_at, settles_at, failure, transaction_id, record, kept_until"
            $(, $rest)*
        )
    };
}

/// The condition of attempts whose outcome is unknown. It is that of the index `attempts_unresolved` in
/// migration 3, which a database uses only for the same condition.
macro_rules! unresolved {
    () => {
        "stage NOT IN ('ended', 'refused') AND stage <> 'created'"
    };
}
pub(super) use unresolved;

/// An attempt, and the digest of the request that its key was sent with.
pub(super) const BY_KEY: &str = select!(
    ", request_digest FROM attempt_keys JOIN attempts ON id = attempt_id WHERE idempotency_key = $1"
);

pub(super) const OPEN_FOR_ORDER: &str = select!(
    " FROM attempts
    WHERE order_id = $1 AND stage NOT IN ('ended', 'refused')"
);

pub(super) const BY_ID: &str = select!(" FROM attempts WHERE id = $1");

/// Whether a payment is known to have been created before a time.
pub(super) const CREATED_BEFORE: &str = "
    SELECT COUNT(*) FROM attempts WHERE transaction_id = $1 AND written_at < $2";

/// Whether a payment is known to have been created after a time.
pub(super) const CREATED_AFTER: &str = "
    SELECT COUNT(*) FROM attempts WHERE transaction_id = $1 AND called_at > $2";

/// The payment that can still be paid and was created last, if it was created after a time.
pub(super) const NEWEST_OPEN: &str = "
    SELECT transaction_id, called_at FROM attempts WHERE called_at > $1 AND stage = 'created'
    ORDER BY called_at DESC LIMIT 1";

/// The payments that can still be paid, the newest first.
pub(super) const OPEN: &str = "
    SELECT transaction_id, called_at, written_at FROM attempts WHERE stage = 'created'
    ORDER BY called_at DESC LIMIT $1";

/// How many payments are known to have been created after a time.
pub(super) const ALL_CREATED_AFTER: &str = "
    SELECT COUNT(transaction_id) FROM attempts WHERE called_at > $1";

pub(super) const BY_TRANSACTION: &str = select!(" FROM attempts WHERE transaction_id = $1");

pub(super) const OTHER_OWNERS: &str = "
    SELECT COUNT(*) FROM attempts WHERE transaction_id = $1 AND id <> $2";

pub(super) const PAST_OWNERS: &str = "
    SELECT COUNT(*) FROM past_attempts WHERE transaction_id = $1 AND id <> $2";

/// The requests of all other attempts that the service may have executed.
pub(super) const OTHER_REQUESTS: &str = "
    SELECT request FROM attempts WHERE id <> $1 AND stage <> 'refused'";

/// Inserts nothing if the order has an open attempt.
pub(super) const INSERT: &str = "
    INSERT INTO attempts
        (id, order_id, fingerprint, request, begun_at, stage, fence, lease_until, called_at, settles_at,
         written_at, kept_until, signed_order)
    VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $8, $9, $8, $10, $11)
    ON CONFLICT DO NOTHING";

/// Changes nothing if the key belongs to another attempt, unless that attempt was refused.
pub(super) const BIND_KEY: &str = "
    INSERT INTO attempt_keys (idempotency_key, request_digest, attempt_id) VALUES ($1, $2, $3)
    ON CONFLICT (idempotency_key) DO UPDATE
    SET request_digest = excluded.request_digest, attempt_id = excluded.attempt_id
    WHERE EXISTS (SELECT 1 FROM attempts
        WHERE attempts.id = attempt_keys.attempt_id AND attempts.stage = 'refused')";

pub(super) const CLAIM_LEASE: &str = claim_lease!("attempts", "failure = NULL", "AND id = $4");

/// The write of a lease holder. Retention is shortened only if the service created nothing.
pub(super) const WRITE: &str = "
    UPDATE attempts
    SET stage = $3, transaction_id = $4, record = $5, failure = $6, lease_until = $7,
        called_at = $8, settles_at = $9, written_at = $10,
        kept_until = CASE WHEN $3 = 'refused' THEN $12
            WHEN kept_until < $11 THEN $11 ELSE kept_until END
    WHERE fence = $1 AND id = $2";

/// An order that was signed again may expire later; all its attempts are kept until then.
pub(super) const EXTEND_RETENTION: &str = "
    UPDATE attempts SET kept_until = $2
    WHERE order_id = $1 AND kept_until < $2 AND stage <> 'refused'";

#[cfg(test)]
mod tests {
    #[test]
    fn the_index_of_unresolved_attempts_has_their_condition() {
        let migration = include_str!("../database/migrations/3_stages.sql");
        assert!(migration.contains(concat!("WHERE ", unresolved!(), ";")));
    }
}
