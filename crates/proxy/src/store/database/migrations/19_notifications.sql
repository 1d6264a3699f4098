-- For both SQLite and PostgreSQL. Times are milliseconds since 1970 on the database's clock.

-- The notifications of the service, by the invoice number that they state.
CREATE TABLE notified (
    invoice_number TEXT PRIMARY KEY,
    -- The first time.
    first_at BIGINT NOT NULL,
    times BIGINT NOT NULL
);
INSERT INTO notified (invoice_number, first_at, times)
SELECT invoice_number, MIN(first_at), CAST(SUM(times) AS BIGINT) FROM notifications
WHERE invoice_number IS NOT NULL GROUP BY invoice_number;
DROP TABLE notifications;
ALTER TABLE notified RENAME TO notifications;
CREATE INDEX notifications_by_age ON notifications (first_at);

-- Merchants' streams are told by events. The columns `notified` and `announced_until` of `polling` are only for instances of an
-- older version that still run.
