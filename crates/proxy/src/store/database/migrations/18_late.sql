-- For both SQLite and PostgreSQL.

-- The merchant resolves a payment that was created too late.
DROP INDEX attempts_due;
ALTER TABLE attempts DROP COLUMN due_at;
