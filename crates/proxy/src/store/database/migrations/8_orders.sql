-- For both SQLite and PostgreSQL. Times are milliseconds since 1970 on the database's clock.

-- Digest of the invoice number of an attempt without a signed order. NULL in rows of an older version.
ALTER TABLE attempts ADD COLUMN invoice_id TEXT;
CREATE INDEX attempts_of_invoice ON attempts (invoice_id);

-- When the latest record was last found in the service's list, as far as that is stored: a poll cycle that finds no change stores
-- nothing.
ALTER TABLE payments ADD COLUMN confirmed_at BIGINT NOT NULL DEFAULT 0;
