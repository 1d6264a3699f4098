-- For both SQLite and PostgreSQL.

-- `token`, `quantity` and `invoiceNumber` of the signed order, as the shop wrote them, as JSON. NULL without a signed order, and
-- in rows of an older version.
ALTER TABLE attempts ADD COLUMN signed_order TEXT;
ALTER TABLE outbox ADD COLUMN signed_order TEXT;
