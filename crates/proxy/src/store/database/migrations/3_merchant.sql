-- Read by SQLite and PostgreSQL alike. Times are milliseconds since 1970 on the database's clock.

-- What remains of an attempt that was pruned, so that the merchant can still count it: nothing of the
-- buyer.
CREATE TABLE past_attempts (
    id TEXT PRIMARY KEY,
    order_id TEXT,
    transaction_id TEXT,
    begun_at BIGINT NOT NULL
);
CREATE INDEX past_attempts_of_an_order ON past_attempts (order_id);
CREATE INDEX past_attempts_of_a_payment ON past_attempts (transaction_id);
CREATE INDEX past_attempts_by_age ON past_attempts (begun_at);

-- Those whose outcome may not be known; there are few at a time.
CREATE INDEX attempts_without_outcome ON attempts (written_at)
    WHERE stage IN ('asking', 'cancelling');

-- When a notification came first, and how often; `received_at` is when it came last.
ALTER TABLE notifications ADD COLUMN first_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE notifications ADD COLUMN times BIGINT NOT NULL DEFAULT 1;
UPDATE notifications SET first_at = received_at;
CREATE INDEX notifications_of_an_invoice ON notifications (invoice_number);

-- What an event tells: status, or, to the merchant alone, created.
ALTER TABLE payment_events ADD COLUMN kind TEXT NOT NULL DEFAULT 'status';

-- Until when the first page of the list is read for a merchant who watches.
ALTER TABLE polling ADD COLUMN merchant_until BIGINT NOT NULL DEFAULT 0;
-- Of payments that were written down before that, the merchant was told.
ALTER TABLE polling ADD COLUMN told_until BIGINT NOT NULL DEFAULT 0;
-- How many notifications came.
ALTER TABLE polling ADD COLUMN notified BIGINT NOT NULL DEFAULT 0;
