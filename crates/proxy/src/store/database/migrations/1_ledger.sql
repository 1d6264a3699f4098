-- Read by SQLite and PostgreSQL alike. Times are milliseconds since 1970 on the database's clock.

-- A payment that was asked for, and what became of it.
CREATE TABLE attempts (
    id TEXT PRIMARY KEY,
    -- Digest of the invoice number, where a shop signed the order.
    order_id TEXT,
    -- Digest of all that two requests for the same payment have in common.
    choice TEXT NOT NULL,
    -- What the service is asked, as JSON.
    request TEXT NOT NULL,
    -- When the request that began it arrived.
    begun_at BIGINT NOT NULL,
    -- asking, answered, cancelling, ended, refused
    stage TEXT NOT NULL,
    -- Counts the leases: only the holder of the last one may write.
    fence BIGINT NOT NULL,
    -- Until when someone is working on it; 0 where nobody is.
    lease_until BIGINT NOT NULL,
    -- Since when the service may have created it: what is older is not it.
    asked_at BIGINT NOT NULL,
    -- From when on a payment that is not in the service's list is not coming any more.
    settles_at BIGINT NOT NULL,
    -- The problem's code, where the last lease ended in one.
    failure TEXT,
    -- The payment, so that no other attempt takes it for its own.
    transaction_id TEXT UNIQUE,
    -- The service's record of it, as JSON.
    record TEXT,
    -- When the stage was written last.
    written_at BIGINT NOT NULL,
    -- When it may be forgotten.
    kept_until BIGINT NOT NULL
);

-- At most one payment of an order is open. The database holds everyone to it.
CREATE UNIQUE INDEX attempts_one_open_of_an_order ON attempts (order_id)
    WHERE stage IN ('asking', 'answered', 'cancelling');
CREATE INDEX attempts_of_an_order ON attempts (order_id);
CREATE INDEX attempts_by_age ON attempts (kept_until);
CREATE INDEX attempts_by_call ON attempts (asked_at);

-- What pages call an attempt.
CREATE TABLE attempt_keys (
    name TEXT PRIMARY KEY,
    -- Digest of the request that came with it.
    request TEXT NOT NULL,
    attempt_id TEXT NOT NULL REFERENCES attempts (id) ON DELETE CASCADE
);
CREATE INDEX attempt_keys_of_an_attempt ON attempt_keys (attempt_id);

-- What all instances share and nobody configured.
CREATE TABLE secrets (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
