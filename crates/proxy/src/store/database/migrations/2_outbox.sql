-- For both SQLite and PostgreSQL. Times are milliseconds since 1970 on the database's clock.

-- Events of payments for the shop's backend, and their deliveries.
CREATE TABLE outbox (
    -- The `webhook-id`. It begins with the time, so that new rows are adjacent in the index.
    id TEXT PRIMARY KEY,
    transaction_id TEXT NOT NULL,
    -- The order of a payment's events: 0 for its creation, otherwise the id of the change.
    position BIGINT NOT NULL,
    -- payment.created, payment.updated, payment.paid, payment.closed
    kind TEXT NOT NULL,
    -- The service's record of the payment, as JSON.
    record TEXT NOT NULL,
    -- How the payment had ended: `closed` or `paid`; NULL if the proxy did not know that it had.
    ending TEXT,
    written_at BIGINT NOT NULL,
    -- waiting, delivered, given-up
    state TEXT NOT NULL,
    -- How often it was sent since it was written, or since it was to be sent again.
    tries BIGINT NOT NULL,
    -- When it may be sent next, if it is waiting.
    due_at BIGINT NOT NULL,
    -- Fencing token: counts the leases. Only the holder of the latest lease can write.
    fence BIGINT NOT NULL,
    -- When the lease of the instance that sends it expires; 0 if there is none.
    lease_until BIGINT NOT NULL,
    -- The receiver's last answer, or why there was none.
    answer TEXT,
    answered_at BIGINT
);
CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'waiting';
CREATE INDEX outbox_waiting ON outbox (id) WHERE state = 'waiting';
CREATE INDEX outbox_given_up ON outbox (id) WHERE state = 'given-up';
CREATE INDEX outbox_of_payment ON outbox (transaction_id, position);

-- When a poll cycle last looked for all open payments, not only for those that somebody watches.
ALTER TABLE polling ADD COLUMN followed_at BIGINT NOT NULL DEFAULT 0;
-- Open payments, by age.
CREATE INDEX payments_open ON payments (kept_until) WHERE ending IS NULL;
