-- For both SQLite and PostgreSQL.

-- 1 if the merchant has released the order of this attempt: its payment no longer keeps the order from another one, unless it is
-- paid.
ALTER TABLE attempts ADD COLUMN released BIGINT NOT NULL DEFAULT 0;
