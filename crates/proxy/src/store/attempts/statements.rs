//! SQL statements of the attempt store, for both SQLite and PostgreSQL. Those of `merchant` are there.

use crate::store::database::in_list;
use crate::store::lease::claim_lease;

/// Selects attempts. Columns are named in every statement, so that a running older instance keeps
/// working after a newer one has added a column; it can't be started again.
macro_rules! select {
    ($($rest:tt)+) => {
        concat!(
            "SELECT id, order_id, duplicate_of, fingerprint, request, erased, begun_at, stage, cancel_answered, fence,
                lease_until, called_at, called_after, settles_at, failure, transaction_id, record, kept_until",
            $($rest)+
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

/// The attempts whose retention has ended at `$1` and that have data of the buyer, except refused ones. While the payment of a
/// signed order or a late duplicate is unresolved, the merchant has to see it, if the retention ended after `$2`. One that is paid is
/// in no doubt.
pub(super) const OUTDATED: &str = concat!(
    "SELECT id, fence, order_id, transaction_id, request, record FROM attempts WHERE id IN (
        SELECT id FROM attempts WHERE kept_until < $1 AND lease_until < $1 AND erased = 0 AND stage <> 'refused'
            AND NOT ((order_id IS NOT NULL OR duplicate_of IS NOT NULL) AND kept_until > $2 AND (",
    unresolved!(),
    " OR (EXISTS (SELECT 1 FROM contradictions WHERE contradictions.transaction_id = attempts.transaction_id)
                AND NOT EXISTS (SELECT 1 FROM order_money
                    WHERE order_money.transaction_id = attempts.transaction_id AND money = 'paid'))))
        ORDER BY kept_until LIMIT $3) ORDER BY id"
);

/// Does nothing if a request works on the attempt meanwhile. The order of a closed payment can be paid again, unless money may have
/// been sent for it.
pub(super) const ERASE: &str = "
    UPDATE attempts SET request = $3, record = $4, erased = 1, kept_until = $5,
        stage = CASE WHEN stage = 'created' AND order_id IS NOT NULL
                AND EXISTS (SELECT 1 FROM payments
                    WHERE payments.transaction_id = attempts.transaction_id AND ending = 'closed')
                AND NOT EXISTS (SELECT 1 FROM sent_marks
                    WHERE sent_marks.transaction_id = attempts.transaction_id)
            THEN 'ended' ELSE stage END
    WHERE id = $1 AND fence = $2";

pub(super) const DELETE_KEYS: &str = "DELETE FROM attempt_keys WHERE attempt_id = $1";

/// The attempts without data of the buyer whose retention has ended at `$1`, unless a fact of their payments was stored after `$2`,
/// and refused ones, which left nothing.
pub(super) const FORGOTTEN: &str = "
    SELECT id, transaction_id FROM attempts WHERE id IN (
        SELECT id FROM attempts WHERE kept_until < $1 AND lease_until < $1
            AND (stage = 'refused' OR erased = 1)
            AND NOT EXISTS (SELECT 1 FROM payments
                WHERE payments.transaction_id = attempts.transaction_id AND confirmed_at > $2)
        ORDER BY kept_until LIMIT $3) ORDER BY id";

pub(super) const DELETE_FORGOTTEN: &str = "
    DELETE FROM attempts WHERE id = $1 AND kept_until < $2 AND lease_until < $2";

/// What is known of a payment that is kept as long as its attempt.
pub(super) const DELETE_FACTS: [&str; 4] = [
    "DELETE FROM payments WHERE transaction_id = $1 AND kept_until < 0",
    "DELETE FROM order_money WHERE transaction_id = $1",
    "DELETE FROM contradictions WHERE transaction_id = $1",
    DELETE_MARKS,
];

/// An attempt, and the digest of the request that its key was sent with.
pub(super) const BY_KEY: &str = select!(
    ", request_digest FROM attempt_keys JOIN attempts ON id = attempt_id WHERE idempotency_key = $1"
);

pub(super) const BY_TRANSACTION: &str = select!(" FROM attempts WHERE transaction_id = $1");

/// The attempts whose outcome is unknown.
pub(super) const REQUESTED_OR_CANCELLING: &str = select!(" FROM attempts WHERE ", unresolved!());

/// The payment that can still be paid and was created last between two times.
pub(super) const NEWEST_OPEN: &str = "
    SELECT transaction_id FROM attempts
    WHERE called_at > $1 AND written_at < $2 AND stage = 'created'
    ORDER BY called_at DESC LIMIT 1";

/// The attempt that an order leads to: one with a paid payment, or else one for which money was seen, or else the one whose payment
/// is open, or else the latest one that has a payment, or else the one that has none yet. What the merchant has released does not
/// count.
pub(super) const OF_ORDER: &str = select!(
    " FROM attempts
    LEFT JOIN (SELECT transaction_id AS seen_id, money FROM order_money WHERE released = 0) AS seen
        ON seen_id = transaction_id
    WHERE order_id = $1 AND (money IS NOT NULL OR stage NOT IN ('ended', 'refused')
        OR (transaction_id IS NOT NULL AND released = 0))
    ORDER BY CASE WHEN money = 'paid' THEN 0 WHEN money = 'seen' THEN 1
            WHEN stage IN ('created', 'cancelling') THEN 2 WHEN stage = 'ended' THEN 3 ELSE 4 END,
        begun_at DESC LIMIT 1"
);

/// The attempt that keeps an order from another payment: the open one, or else an ended one, until the merchant releases it, for
/// whose payment money was seen, or which the list contradicts.
pub(super) const HOLDING_ORDER: &str = select!(
    " FROM attempts WHERE order_id = $1 AND stage <> 'refused' AND (stage <> 'ended'
        OR EXISTS (SELECT 1 FROM order_money
            WHERE order_money.transaction_id = attempts.transaction_id AND order_money.released = 0)
        OR EXISTS (SELECT 1 FROM contradictions WHERE contradictions.transaction_id = attempts.transaction_id))
    ORDER BY CASE WHEN stage = 'ended' THEN 1 ELSE 0 END LIMIT 1"
);

/// The payments of an order for which money was seen, and that the merchant has not released.
pub(super) const COUNT_SEEN: &str = "
    SELECT COUNT(*) FROM order_money WHERE order_id = $1 AND released = 0";

/// What is stored of a payment and of the others of its order.
pub(super) const ORDER_FACTS: &str = "
    SELECT ending, COALESCE(has_moved, 0) AS has_moved,
        (SELECT COUNT(*) FROM sent_marks WHERE sent_marks.transaction_id = $1) AS marks,
        (SELECT money FROM order_money WHERE order_money.transaction_id = $1) AS own,
        (SELECT COUNT(*) FROM contradictions WHERE contradictions.transaction_id = $1) AS contradictions,
        (SELECT MIN(money) FROM order_money
            WHERE order_id = $2 AND order_money.transaction_id IS DISTINCT FROM $1 AND released = 0) AS of_order
    FROM (SELECT 1 AS one) AS always LEFT JOIN payments ON payments.transaction_id = $1";

/// The payments that an attempt has or had.
pub(super) const OF_ATTEMPTS: &str = in_list!(
    "SELECT transaction_id FROM attempts WHERE transaction_id",
    ""
);

/// The attempts for an invoice number whose payment is not known. Without its request, it is not searched for any more.
pub(super) const COUNT_REQUESTED: &str = "
    SELECT COUNT(*) FROM attempts
    WHERE (order_id = $1 OR invoice_id = $1) AND stage = 'requested' AND request <> ''";

/// The records of payments that changed last up to an event.
pub(super) const CHANGED_BEFORE: &str = "
    SELECT record FROM payments WHERE event_id > 0 AND event_id <= $1 ORDER BY event_id DESC LIMIT 20";

/// The payments that were created after this one and have not ended: none if it was created elsewhere, because it is not known when.
/// Pages after the 500th are not read.
pub(super) const COUNT_LATER: &str = "
    SELECT COUNT(*) FROM (SELECT 1 FROM attempts
        WHERE stage = 'created'
            AND called_at > (SELECT called_at FROM attempts WHERE transaction_id = $1 AND called_at > 0)
        LIMIT 10000) AS later";

pub(super) const RELEASE: &str = "UPDATE attempts SET released = 1 WHERE id = $1";

/// A payment that was created elsewhere has no fingerprint. If its row exists already, the statement locks it, so that no other
/// transaction deletes it before this one reads it.
pub(super) const INSERT_FOREIGN: &str = "
    INSERT INTO attempts (id, fingerprint, request, begun_at, stage, fence, lease_until, called_at,
        settles_at, transaction_id, record, written_at, kept_until)
    VALUES ($1, '', '', $4, 'created', 0, 0, 0, 0, $2, $3, $4, $5)
    ON CONFLICT (transaction_id) DO UPDATE SET transaction_id = excluded.transaction_id";

pub(super) const INSERT_LATE: &str = "
    INSERT INTO attempts (id, duplicate_of, fingerprint, request, begun_at, stage, fence, lease_until,
        called_at, settles_at, transaction_id, record, written_at, kept_until, invoice_id)
    VALUES ($1, $2, 'late', $3, $7, $4, 0, 0, $7, $7, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING";

/// A late duplicate becomes the payment of its attempt.
pub(super) const DELETE_DUPLICATE: &str = "
    DELETE FROM attempts WHERE transaction_id = $1 AND duplicate_of = $2 AND stage = 'duplicate'";

pub(super) const DELETE: &str = "DELETE FROM attempts WHERE id = $1";

pub(super) const LOCK_PAYMENT: &str = "
    UPDATE attempts SET written_at = written_at WHERE transaction_id = $1";

pub(super) const COUNT_MARKS: &str = "SELECT COUNT(*) FROM sent_marks WHERE transaction_id = $1";

pub(super) const MARK: &str = "
    SELECT is_first FROM sent_marks WHERE transaction_id = $1 AND digest = $2";

pub(super) const INSERT_MARK: &str = "
    INSERT INTO sent_marks (transaction_id, digest, is_first, written_at)
    VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";

pub(super) const DELETE_MARK: &str = "
    DELETE FROM sent_marks WHERE transaction_id = $1 AND digest = $2";

pub(super) const DELETE_MARKS: &str = "DELETE FROM sent_marks WHERE transaction_id = $1";

/// Inserts nothing if the order has an open attempt. If a backup may lack a payment of the order, the attempt is stored as one that
/// was called before the backup was made: no attempt for an order has the payment, and it is not known to have ended. Returns the
/// last event when it was called, and whether that is so.
pub(super) const INSERT: &str = "
    INSERT INTO attempts
        (id, order_id, fingerprint, request, begun_at, stage, fence, lease_until, called_at, settles_at,
         written_at, kept_until, signed_order, invoice_id, called_after)
    VALUES ($1, $2, $3, $4, $5, 'requested', 1, $6, $5, $7, $5, $8, $9, $10, (
        SELECT CASE WHEN memory.last_event >= 0 AND EXISTS (
                SELECT 1 FROM missing_payments AS missing WHERE $11 LIKE '%' || missing.invoice_id || '%'
                    AND NOT EXISTS (SELECT 1 FROM attempts AS own WHERE own.transaction_id = missing.transaction_id
                        AND (own.fingerprint <> '' OR own.stage = 'ended'))
                    AND NOT EXISTS (SELECT 1 FROM payments
                        WHERE payments.transaction_id = missing.transaction_id AND ending = 'closed'))
            THEN memory.last_event ELSE polling.last_event END
        FROM polling, memory))
    ON CONFLICT DO NOTHING
    RETURNING called_after, CASE WHEN called_after <= (SELECT last_event FROM memory) THEN 1 ELSE 0 END";

/// Whether the outcome of what was called after an event may be one that a backup lacks.
pub(super) const COUNT_RESTORED: &str = "SELECT COUNT(*) FROM memory WHERE last_event >= $1";

/// Changes nothing if the key belongs to another attempt, unless that attempt was refused, or if the attempt has 16 keys, more
/// than pages need. Further requests find it by its order.
pub(super) const BIND_KEY: &str = "
    INSERT INTO attempt_keys (idempotency_key, request_digest, attempt_id)
    SELECT $1, $2, $3
    WHERE (SELECT COUNT(*) FROM attempt_keys WHERE attempt_id = $3) < 16
    ON CONFLICT (idempotency_key) DO UPDATE
    SET request_digest = excluded.request_digest, attempt_id = excluded.attempt_id
    WHERE EXISTS (SELECT 1 FROM attempts
        WHERE attempts.id = attempt_keys.attempt_id AND attempts.stage = 'refused')";

pub(super) const CLAIM_LEASE: &str = claim_lease!("attempts", "failure = NULL", "AND id = $4");

/// The write of a lease holder. `$14` is 1 if the service is asked to create the payment. Retention is shortened only if the service created nothing.
pub(super) const WRITE: &str = "
    UPDATE attempts
    SET stage = $3, cancel_answered = $4, transaction_id = $5, record = $6, failure = $7, lease_until = $8,
        called_at = $9, settles_at = $10, written_at = $11,
        called_after = CASE WHEN $14 = 1 THEN (SELECT last_event FROM polling) ELSE called_after END,
        kept_until = CASE WHEN $3 = 'refused' THEN $13
            WHEN kept_until < $12 THEN $12 ELSE kept_until END
    WHERE fence = $1 AND id = $2";

pub(super) const RENEW: &str = "UPDATE attempts SET lease_until = $3 WHERE fence = $1 AND id = $2";

/// The attempts of an order that are kept for less time, in the order of locks.
pub(super) const KEPT_LESS: &str = "
    SELECT id FROM attempts WHERE order_id = $1 AND kept_until < $2 AND stage <> 'refused' ORDER BY id";

pub(super) const EXTEND_RETENTION: &str = "
    UPDATE attempts SET kept_until = $2 WHERE id = $1 AND kept_until < $2";

#[cfg(test)]
mod tests {
    #[test]
    fn the_index_of_unresolved_attempts_has_their_condition() {
        let migration = include_str!("../database/migrations/3_stages.sql");
        assert!(migration.contains(concat!("WHERE ", unresolved!(), ";")));
    }
}
