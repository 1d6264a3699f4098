-- For both SQLite and PostgreSQL. Times are milliseconds since 1970 on the database's clock.

-- A single row: since when everything is known, because the database was restored from a backup then.
CREATE TABLE memory (
    -- 0 if it never was.
    since BIGINT NOT NULL,
    -- The id of the backup's last event. What the service was asked for up to then may have an outcome that the backup lacks.
    last_event BIGINT NOT NULL
);
INSERT INTO memory (since, last_event) VALUES (0, -1);

-- Payments that the service listed then, and that the backup lacks.
CREATE TABLE missing_payments (
    transaction_id TEXT PRIMARY KEY,
    -- Digest of the listed invoice number, in a form in which equal ones are the same.
    invoice_id TEXT NOT NULL,
    -- When the row may be pruned.
    kept_until BIGINT NOT NULL
);
CREATE INDEX missing_payments_of_invoice ON missing_payments (invoice_id);
