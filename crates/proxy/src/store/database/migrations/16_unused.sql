-- For both SQLite and PostgreSQL.

-- The order of reads is that of events.
ALTER TABLE payments DROP COLUMN read_at;
