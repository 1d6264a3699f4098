-- For both SQLite and PostgreSQL.

-- 1 if an event that is being sent is to be sent again, whatever the receiver answers.
ALTER TABLE outbox ADD COLUMN resend BIGINT NOT NULL DEFAULT 0;
