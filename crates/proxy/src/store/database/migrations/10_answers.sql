-- For both SQLite and PostgreSQL.

-- The last event when the create request was sent.
ALTER TABLE attempts ADD COLUMN called_after BIGINT NOT NULL DEFAULT 0;
-- Of a payment that no attempt has, found in the service's list: the number of events by then. Otherwise 0.
ALTER TABLE payments ADD COLUMN listed_id BIGINT NOT NULL DEFAULT 0;
UPDATE polling SET last_event = last_event + 1 WHERE EXISTS (SELECT 1 FROM payments);
UPDATE payments SET listed_id = (SELECT last_event FROM polling)
WHERE NOT EXISTS (SELECT 1 FROM attempts WHERE attempts.transaction_id = payments.transaction_id);
