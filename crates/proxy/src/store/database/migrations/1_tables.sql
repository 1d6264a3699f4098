-- For both SQLite and PostgreSQL. Times are milliseconds since 1970 on the database's clock.

-- Attempts to create a payment, and their results.
CREATE TABLE attempts (
    id TEXT PRIMARY KEY,
    -- Digest of the invoice number of a signed order.
    order_id TEXT,
    -- Digest of everything that identifies the payment.
    fingerprint TEXT NOT NULL,
    -- The request to the service, as JSON.
    request TEXT NOT NULL,
    -- When the request that began the attempt arrived.
    begun_at BIGINT NOT NULL,
    -- requested, created, cancelling, ended, contradictory, refused
    stage TEXT NOT NULL,
    -- Fencing token: counts the leases. Only the holder of the latest lease can write.
    fence BIGINT NOT NULL,
    -- When the lease expires; 0 if there is none.
    lease_until BIGINT NOT NULL,
    -- The earliest time at which the service may have created the payment; older ones can't belong to this attempt.
    called_at BIGINT NOT NULL,
    -- The time after which a payment that is missing from the service's list will not appear any more.
    settles_at BIGINT NOT NULL,
    -- The problem code, if the last lease ended with a failure.
    failure TEXT,
    -- The payment. A payment belongs to at most one attempt.
    transaction_id TEXT UNIQUE,
    -- The service's record of the payment, as JSON.
    record TEXT,
    -- When the stage was stored last.
    written_at BIGINT NOT NULL,
    -- When the row may be pruned.
    kept_until BIGINT NOT NULL
);

-- At most one open attempt per order.
CREATE UNIQUE INDEX attempts_open_of_order ON attempts (order_id)
    WHERE stage IN ('requested', 'created', 'cancelling', 'contradictory');
CREATE INDEX attempts_of_order ON attempts (order_id);
CREATE INDEX attempts_by_retention ON attempts (kept_until);
CREATE INDEX attempts_by_call ON attempts (called_at);
-- For unresolved attempts, of which there are few.
CREATE INDEX attempts_unresolved ON attempts (written_at)
    WHERE stage IN ('requested', 'cancelling', 'contradictory');

-- The idempotency keys of attempts.
CREATE TABLE attempt_keys (
    idempotency_key TEXT PRIMARY KEY,
    -- Digest of the request that the key was sent with.
    request_digest TEXT NOT NULL,
    attempt_id TEXT NOT NULL REFERENCES attempts (id) ON DELETE CASCADE
);
CREATE INDEX attempt_keys_of_attempt ON attempt_keys (attempt_id);

-- Pruned attempts, without data of the buyer: to count them for the merchant, and so that an order
-- that is signed again later does not get a second payment.
CREATE TABLE past_attempts (
    id TEXT PRIMARY KEY,
    order_id TEXT,
    fingerprint TEXT NOT NULL,
    -- The last stage of the attempt.
    stage TEXT NOT NULL,
    transaction_id TEXT,
    begun_at BIGINT NOT NULL,
    -- When the attempt was stored last.
    written_at BIGINT NOT NULL
);
CREATE INDEX past_attempts_of_order ON past_attempts (order_id);
CREATE INDEX past_attempts_of_payment ON past_attempts (transaction_id);
CREATE INDEX past_attempts_by_age ON past_attempts (written_at);

-- Payments that the service created after another instance had taken their attempt over. Each one is
-- cancelled, unless its attempt turns out to have no other payment. A row stays until that is done.
CREATE TABLE surplus_payments (
    transaction_id TEXT PRIMARY KEY,
    attempt_id TEXT NOT NULL,
    -- The request to the service, as JSON.
    request TEXT NOT NULL,
    -- The service's record of the payment, as JSON.
    record TEXT NOT NULL,
    found_at BIGINT NOT NULL,
    -- How often its settlement was tried.
    tries BIGINT NOT NULL,
    -- When the next try may begin.
    due_at BIGINT NOT NULL
);
CREATE INDEX surplus_payments_due ON surplus_payments (due_at);

-- Generated secrets that all instances share.
CREATE TABLE secrets (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- Tracked payments with their latest record.
CREATE TABLE payments (
    transaction_id TEXT PRIMARY KEY,
    -- The service's record, as JSON.
    record TEXT NOT NULL,
    -- The event of its last change; 0 if it has not changed since it was created.
    event_id BIGINT NOT NULL,
    -- Until when the service's list is polled for it.
    wanted_until BIGINT NOT NULL,
    -- How it has ended: `closed` or `paid`; NULL if the proxy does not know that it has.
    ending TEXT,
    -- When the row may be pruned.
    kept_until BIGINT NOT NULL
);
CREATE INDEX payments_wanted ON payments (wanted_until);
CREATE INDEX payments_by_retention ON payments (kept_until);

-- The changes of payments, which event streams send.
CREATE TABLE payment_events (
    -- In commit order, so a reader that has seen an id has seen all lower ones.
    id BIGINT PRIMARY KEY,
    transaction_id TEXT NOT NULL,
    -- `status`, or `created` for merchants only.
    kind TEXT NOT NULL,
    -- The new record, as JSON.
    record TEXT NOT NULL,
    written_at BIGINT NOT NULL
);
CREATE INDEX payment_events_of_payment ON payment_events (transaction_id, id);
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
    requested BIGINT NOT NULL,
    -- Number of consecutive failed cycles.
    failures BIGINT NOT NULL,
    -- The next deeper page to read.
    deep_page BIGINT NOT NULL,
    -- The id of the last event.
    last_event BIGINT NOT NULL,
    -- Until when the first page of the list is polled for merchants' streams.
    merchant_until BIGINT NOT NULL,
    -- Payments that were stored before this time have been announced to merchants.
    announced_until BIGINT NOT NULL,
    -- Number of received notifications.
    notified BIGINT NOT NULL
);
INSERT INTO polling (fence, lease_until, begun_at, due_at, requested, failures, deep_page,
    last_event, merchant_until, announced_until, notified)
VALUES (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

-- Notifications that the webhook has received.
CREATE TABLE notifications (
    -- Digest of the body.
    digest TEXT PRIMARY KEY,
    -- NULL if the body does not contain one.
    invoice_number TEXT,
    first_at BIGINT NOT NULL,
    -- The last time.
    received_at BIGINT NOT NULL,
    times BIGINT NOT NULL
);
CREATE INDEX notifications_by_age ON notifications (received_at);
CREATE INDEX notifications_of_invoice ON notifications (invoice_number);

-- A single row that is written to check that the database can be written.
CREATE TABLE heartbeat (
    written_at BIGINT NOT NULL
);
INSERT INTO heartbeat (written_at) VALUES (0);
