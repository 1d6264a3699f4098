//! SQL statements of status tracking, for both SQLite and PostgreSQL. Those for merchants are in `merchants`.

use crate::store::database::in_list;
use crate::store::lease::claim_lease;

/// The most that was seen for another payment of the order: `paid` is the least of the words.
macro_rules! of_order {
    () => {
        "(SELECT MIN(money) FROM attempts AS own JOIN order_money AS other
            ON other.order_id = own.order_id AND other.transaction_id <> own.transaction_id
            WHERE own.transaction_id = payments.transaction_id AND other.released = 0) AS of_order"
    };
}

/// How many marks say that money may have been sent.
macro_rules! marks {
    () => {
        "(SELECT COUNT(*) FROM sent_marks WHERE sent_marks.transaction_id = payments.transaction_id) AS marks"
    };
}

/// The other payments of the order of a payment.
pub(super) const SIBLINGS: &str = "
    SELECT other.transaction_id FROM attempts AS own
    JOIN attempts AS other ON other.order_id = own.order_id AND other.id <> own.id
    WHERE own.transaction_id = $1 AND other.transaction_id IS NOT NULL";

/// Changes nothing unless the order is signed, and this is the first money of the payment or all of it. It counts also if the merchant
/// has released the order, because they did not know of it.
pub(super) const ADD_MONEY: &str = "
    INSERT INTO order_money (transaction_id, order_id, money, released)
    SELECT $1, order_id, $2, 0 FROM attempts WHERE transaction_id = $1 AND order_id IS NOT NULL
    ON CONFLICT (transaction_id) DO UPDATE SET money = excluded.money, released = 0
    WHERE order_money.money = 'seen' AND excluded.money = 'paid'";

/// Not again after the merchant has released the order.
pub(super) const ADD_CONTRADICTION: &str = "
    INSERT INTO contradictions (transaction_id, field, found_at)
    SELECT $1, $2, $3 WHERE EXISTS (SELECT 1 FROM attempts
        WHERE transaction_id = $1 AND fingerprint <> '' AND duplicate_of IS NULL AND released = 0)
    ON CONFLICT DO NOTHING";

pub(super) const DELETE_CONTRADICTION: &str =
    "DELETE FROM contradictions WHERE transaction_id = $1";

pub(super) const RELEASE_MONEY: &str = "
    UPDATE order_money SET released = 1 WHERE transaction_id = $1 AND released = 0";

pub(super) const INSERT_PAYMENT: &str = "
    INSERT INTO payments (transaction_id, record, event_id, wanted_until, kept_until, listed_id)
    VALUES ($1, $2, 0, $3, $4, $5) ON CONFLICT DO NOTHING";

/// An attempt has the payment now, which the list showed before.
pub(super) const TAKE_OVER: &str = "
    UPDATE payments SET listed_id = 0, wanted_until = $2, kept_until = $3 WHERE transaction_id = $1";

/// Whether the list showed a payment before the create request of an attempt was sent.
pub(super) const COUNT_LISTED_BEFORE: &str = "
    SELECT COUNT(*) FROM payments JOIN attempts ON attempts.id = $2
    WHERE payments.transaction_id = $1 AND listed_id > 0 AND listed_id <= called_after";

/// If no cycle was due for a while, a new payment need not be polled for at once. Also reserves the id of an event if merchants
/// are watching; otherwise returns no row, or 0.
pub(super) const POSTPONE_CYCLE: &str = "
    UPDATE polling SET
        due_at = CASE WHEN due_at < $2 THEN $1 ELSE due_at END,
        last_event = CASE WHEN merchant_until > $3 THEN last_event + 1 ELSE last_event END
    WHERE due_at < $2 OR merchant_until > $3
    RETURNING CASE WHEN merchant_until > $3 THEN last_event ELSE 0 END";

/// Selects the latest records of payments.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT transaction_id, record, event_id, ending, ",
            of_order!(),
            ", ",
            marks!(),
            ", has_moved, listed_pay, wanted_until, kept_until FROM payments WHERE transaction_id",
            $rest
        )
    };
}

pub(super) const LATEST: &str = select!(" = $1");

pub(super) const AFTER: &str = "
    SELECT transaction_id, 'status' AS kind, record, event_id, ending, NULL AS of_order, 0 AS marks,
        has_moved, listed_pay
    FROM payments
    WHERE transaction_id > $1 ORDER BY transaction_id LIMIT $2";

/// Streams get a change of the marks as a change of the status.
macro_rules! events {
    ($condition:literal) => {
        concat!(
            "SELECT payment_events.transaction_id, CASE WHEN kind = 'marks' THEN 'status' ELSE kind END AS kind,
                payment_events.record, payment_events.id AS event_id, ending, ",
            of_order!(),
            ", ",
            marks!(),
            ", 0 AS has_moved, listed_pay
            FROM payment_events LEFT JOIN payments
                ON payments.transaction_id = payment_events.transaction_id
            WHERE id > $1 ",
            $condition,
            " ORDER BY id LIMIT $2"
        )
    };
}

pub(super) const EVENTS: &str = events!("");

pub(super) const CHANGES_OF_PAYMENT: &str =
    events!("AND payment_events.transaction_id = $3 AND kind <> 'created'");

pub(super) const COUNT_WANTED: &str = "SELECT COUNT(*) FROM payments WHERE wanted_until > $1";

/// Payments that no client watches and that were not paid, stored after a time. The time is computed from
/// `kept_until`. More than this many are on pages that no cycle reads.
pub(super) const COUNT_UNPAID: &str = "
    SELECT COUNT(*) FROM (SELECT 1 FROM payments
        WHERE (ending IS NULL OR ending <> 'paid') AND kept_until > $2 AND wanted_until <= $1
        LIMIT 10000) AS unpaid";

pub(super) const EXTEND_INTEREST: &str = in_list!(
    "UPDATE payments SET wanted_until = $21 WHERE transaction_id",
    "AND wanted_until < $21"
);

pub(super) const KNOWN: &str = in_list!(select!(""), "");

pub(super) const POLL_STATE: &str = "
    SELECT fence, lease_until, begun_at, due_at, requested, failures, deep_page, last_event,
        merchant_until, followed_at FROM polling";

pub(super) const LAST_EVENT: &str = "SELECT last_event FROM polling";

pub(super) const BEGIN_CYCLE: &str = claim_lease!(
    "polling",
    "begun_at = $4, requested = 0, followed_at = $5",
    ""
);

pub(super) const EXTEND_LEASE: &str = "UPDATE polling SET lease_until = $2 WHERE fence = $1";

pub(super) const INSERT_EVENT: &str = "
    INSERT INTO payment_events (id, transaction_id, record, written_at, kind)
    VALUES ($1, $2, $3, $4, $5)";

/// The changes of a payment after an event, but for those of its marks.
pub(super) const COUNT_CHANGES: &str = "
    SELECT COUNT(*) FROM payment_events WHERE transaction_id = $1 AND id > $2 AND kind <> 'marks'";

pub(super) const DELETE_EVENTS_OF_KIND: &str = "
    DELETE FROM payment_events WHERE transaction_id = $1 AND kind = $2";

pub(super) const UPDATE_PAYMENT: &str = "
    UPDATE payments SET record = $3, event_id = $2, ending = $4, has_moved = $5, listed_pay = $6
    WHERE transaction_id = $1";

pub(super) const SET_CONFIRMED: &str = "
    UPDATE payments SET confirmed_at = $2 WHERE transaction_id = $1 AND confirmed_at < $2";

/// Reserves the id of an event. The row stays locked until it is committed, so events are committed in the order of their
/// ids.
pub(super) const RESERVE_ID: &str = "
    UPDATE polling SET last_event = last_event + 1 RETURNING last_event";

/// The same if merchants are watching.
pub(super) const RESERVE_ID_FOR_MERCHANTS: &str = "
    UPDATE polling SET last_event = last_event + 1 WHERE merchant_until > $1 RETURNING last_event";

/// Locks the row as [`RESERVE_ID`] does, so that no other transaction changes a payment meanwhile.
pub(crate) const LOCK_EVENTS: &str = "UPDATE polling SET last_event = last_event";

/// If a cycle was requested during this one, the next one begins early.
pub(super) const END_CYCLE: &str = "
    UPDATE polling SET lease_until = 0, failures = $2, deep_page = $3,
        due_at = CASE WHEN requested = 1 AND $2 = 0 THEN $4 ELSE $5 END
    WHERE fence = $1";

/// While the service fails, a request does not make the next cycle earlier. `$2` is the shortest time from the start of a cycle
/// to the next one.
pub(super) const REQUEST_CYCLE: &str = "
    UPDATE polling SET requested = 1, due_at = CASE
        WHEN failures > 0 OR due_at <= $1 OR due_at <= begun_at + $2 THEN due_at
        WHEN begun_at + $2 > $1 THEN begun_at + $2
        ELSE $1 END";

/// Returns how many there are with this invoice number.
pub(super) const COUNT_NOTIFICATION: &str = "
    INSERT INTO notifications (invoice_number, first_at, times) VALUES ($1, $2, 1)
    ON CONFLICT (invoice_number) DO UPDATE SET times = notifications.times + 1
    RETURNING times";

/// A payment is kept as long as an attempt has it with its request. Those of signed orders are kept longer: see [`KEEP`].
pub(super) const PRUNE_PAYMENTS: &str = "
    DELETE FROM payments WHERE transaction_id IN (
        SELECT transaction_id FROM payments WHERE kept_until >= 0 AND kept_until < $1
            AND NOT EXISTS (SELECT 1 FROM attempts
                WHERE attempts.transaction_id = payments.transaction_id AND request <> '')
        ORDER BY kept_until LIMIT $2)";

pub(super) const RECORD: &str = "SELECT record FROM payments WHERE transaction_id = $1";

/// From now on, the payment is kept as long as its attempt.
pub(super) const KEEP: &str = "
    UPDATE payments SET record = $2, kept_until = -1 WHERE transaction_id = $1";

pub(super) const PRUNE_EVENTS: &str = "
    DELETE FROM payment_events WHERE id IN (
        SELECT id FROM payment_events WHERE written_at < $1 ORDER BY written_at LIMIT $2)";

pub(super) const PRUNE_NOTIFICATIONS: &str = "
    DELETE FROM notifications WHERE invoice_number IN (
        SELECT invoice_number FROM notifications WHERE first_at < $1 ORDER BY first_at LIMIT $2)";
