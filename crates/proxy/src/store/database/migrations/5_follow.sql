-- For both SQLite and PostgreSQL.

-- Closed payments are followed, too, because money may arrive for them.
DROP INDEX payments_open;
CREATE INDEX payments_unpaid ON payments (kept_until) WHERE ending IS NULL OR ending <> 'paid';
