-- For both SQLite and PostgreSQL.

-- How a payment has ended: `closed` or `paid`; NULL if the proxy does not know that it has.
ALTER TABLE payments ADD COLUMN ending TEXT;
