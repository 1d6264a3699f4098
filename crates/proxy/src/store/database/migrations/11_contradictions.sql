-- For both SQLite and PostgreSQL. Times are milliseconds since 1970 on the database's clock.

-- Payments that the service's list contradicts, until the merchant releases their orders. A row is kept as long as its attempt.
CREATE TABLE contradictions (
    transaction_id TEXT PRIMARY KEY,
    -- The field that is another one in the list.
    field TEXT NOT NULL,
    found_at BIGINT NOT NULL
);

-- The amount to pay that the list shows, as JSON, if it is another one than the buyer was told.
ALTER TABLE payments ADD COLUMN listed_pay TEXT;
