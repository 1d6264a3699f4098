-- For both SQLite and PostgreSQL.

-- The payments that have changed, by their last event.
CREATE INDEX payments_changed ON payments (event_id) WHERE event_id > 0;
