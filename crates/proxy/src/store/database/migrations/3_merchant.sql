-- For both SQLite and PostgreSQL. Times are milliseconds since 1970 on the database's clock.

-- Archived attempts, which are still counted for the merchant. They contain no data of the buyer.
CREATE TABLE past_attempts (
    id TEXT PRIMARY KEY,
    order_id TEXT,
    transaction_id TEXT,
    begun_at BIGINT NOT NULL
);
CREATE INDEX past_attempts_of_an_order ON past_attempts (order_id);
CREATE INDEX past_attempts_of_a_payment ON past_attempts (transaction_id);
CREATE INDEX past_attempts_by_age ON past_attempts (begun_at);

-- For unresolved attempts, of which there are few.
CREATE INDEX attempts_without_outcome ON attempts (written_at)
    WHERE stage IN ('asking', 'cancelling');

-- When a notification was first received, and how often; `received_at` is the last time.
ALTER TABLE notifications ADD COLUMN first_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE notifications ADD COLUMN times BIGINT NOT NULL DEFAULT 1;
UPDATE notifications SET first_at = received_at;
CREATE INDEX notifications_of_an_invoice ON notifications (invoice_number);

-- The kind of event: `status`, or `created` for merchants only.
ALTER TABLE payment_events ADD COLUMN kind TEXT NOT NULL DEFAULT 'status';

-- Until when the first page of the list is polled for merchants' streams.
ALTER TABLE polling ADD COLUMN merchant_until BIGINT NOT NULL DEFAULT 0;
-- Payments that were stored before this time have been announced to merchants.
ALTER TABLE polling ADD COLUMN told_until BIGINT NOT NULL DEFAULT 0;
-- Number of received notifications.
ALTER TABLE polling ADD COLUMN notified BIGINT NOT NULL DEFAULT 0;
