-- For both SQLite and PostgreSQL. Times are milliseconds since 1970 on the database's clock.

-- Tracked payments with their latest record.
CREATE TABLE payments (
    transaction_id TEXT PRIMARY KEY,
    -- The service's record, as JSON.
    record TEXT NOT NULL,
    -- The event of its last change; 0 if it has not changed since it was created.
    event_id BIGINT NOT NULL,
    -- Until when the service's list is polled for it.
    wanted_until BIGINT NOT NULL,
    -- When the row may be pruned.
    kept_until BIGINT NOT NULL
);
CREATE INDEX payments_wanted ON payments (wanted_until);
CREATE INDEX payments_by_age ON payments (kept_until);

-- The changes of payments, which event streams send.
CREATE TABLE payment_events (
    -- In commit order, so a reader that has seen an id has seen all lower ones.
    id BIGINT PRIMARY KEY,
    transaction_id TEXT NOT NULL,
    -- The new record, as JSON.
    record TEXT NOT NULL,
    written_at BIGINT NOT NULL
);
CREATE INDEX payment_events_of_a_payment ON payment_events (transaction_id, id);
CREATE INDEX payment_events_by_age ON payment_events (written_at);

-- The state of polling, in a single row. One instance at a time runs a poll cycle.
CREATE TABLE polling (
    -- Fencing token: counts the poll cycles. Only the instance of the latest cycle can write.
    fence BIGINT NOT NULL,
    -- When the lease of the current cycle expires; 0 if there is none.
    lease_until BIGINT NOT NULL,
    -- When the last cycle began.
    begun_at BIGINT NOT NULL,
    -- When the next cycle may begin.
    due_at BIGINT NOT NULL,
    -- Whether a cycle was requested: 1 or 0.
    asked BIGINT NOT NULL,
    -- Number of consecutive failed cycles.
    failures BIGINT NOT NULL,
    -- The next deeper page to read.
    deep_page BIGINT NOT NULL,
    -- The id of the last event.
    last_event BIGINT NOT NULL
);
INSERT INTO polling VALUES (0, 0, 0, 0, 0, 0, 0, 0);

-- Notifications that the webhook has received.
CREATE TABLE notifications (
    -- Digest of the body.
    digest TEXT PRIMARY KEY,
    -- NULL if the body does not contain one.
    invoice_number TEXT,
    received_at BIGINT NOT NULL
);
CREATE INDEX notifications_by_age ON notifications (received_at);
