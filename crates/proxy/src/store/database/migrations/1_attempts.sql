-- For both SQLite and PostgreSQL. Times are milliseconds since 1970 on the database's clock.

-- Attempts to create a payment, and their results.
CREATE TABLE attempts (
    id TEXT PRIMARY KEY,
    -- Digest of the invoice number of a signed order.
    order_id TEXT,
    -- Fingerprint: digest of everything that identifies the payment.
    choice TEXT NOT NULL,
    -- The request to the service, as JSON.
    request TEXT NOT NULL,
    -- When the request that began the attempt arrived.
    begun_at BIGINT NOT NULL,
    -- asking, answered, cancelling, ended, refused
    stage TEXT NOT NULL,
    -- Fencing token: counts the leases. Only the holder of the latest lease can write.
    fence BIGINT NOT NULL,
    -- When the lease expires; 0 if there is none.
    lease_until BIGINT NOT NULL,
    -- The earliest time at which the service may have created the payment; older ones can't belong to this attempt.
    asked_at BIGINT NOT NULL,
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
CREATE UNIQUE INDEX attempts_one_open_of_an_order ON attempts (order_id)
    WHERE stage IN ('asking', 'answered', 'cancelling');
CREATE INDEX attempts_of_an_order ON attempts (order_id);
CREATE INDEX attempts_by_age ON attempts (kept_until);
CREATE INDEX attempts_by_call ON attempts (asked_at);

-- The idempotency keys of attempts.
CREATE TABLE attempt_keys (
    name TEXT PRIMARY KEY,
    -- Digest of the request that the key was sent with.
    request TEXT NOT NULL,
    attempt_id TEXT NOT NULL REFERENCES attempts (id) ON DELETE CASCADE
);
CREATE INDEX attempt_keys_of_an_attempt ON attempt_keys (attempt_id);

-- Generated secrets that all instances share.
CREATE TABLE secrets (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
