-- Read by SQLite and PostgreSQL alike. Times are milliseconds since 1970 on the database's clock.

-- A payment that was created here, and the latest that is known of it.
CREATE TABLE payments (
    transaction_id TEXT PRIMARY KEY,
    -- The service's record, as JSON.
    record TEXT NOT NULL,
    -- Its last change; 0 where there was none since it was created.
    event_id BIGINT NOT NULL,
    -- Until when the service's list is read for it.
    wanted_until BIGINT NOT NULL,
    -- When it may be forgotten.
    kept_until BIGINT NOT NULL
);
CREATE INDEX payments_wanted ON payments (wanted_until);
CREATE INDEX payments_by_age ON payments (kept_until);

-- The changes of payments, as their watchers hear of them.
CREATE TABLE payment_events (
    -- In the order in which they were committed: whoever has seen one has missed none before it.
    id BIGINT PRIMARY KEY,
    transaction_id TEXT NOT NULL,
    -- The service's record from then on, as JSON.
    record TEXT NOT NULL,
    written_at BIGINT NOT NULL
);
CREATE INDEX payment_events_of_a_payment ON payment_events (transaction_id, id);
CREATE INDEX payment_events_by_age ON payment_events (written_at);

-- The reading of the service's list: one row, for one instance at a time.
CREATE TABLE polling (
    -- Counts the rounds: only the holder of the last one may write.
    fence BIGINT NOT NULL,
    -- Until when a round is under way; 0 where none is.
    lease_until BIGINT NOT NULL,
    -- When the last round began.
    begun_at BIGINT NOT NULL,
    -- When the next one may begin.
    due_at BIGINT NOT NULL,
    -- Whether someone asked for one, whatever is watched: 1 or 0.
    asked BIGINT NOT NULL,
    -- How many rounds have failed in a row.
    failures BIGINT NOT NULL,
    -- Which of the deeper pages comes next.
    deep_page BIGINT NOT NULL,
    -- The last event that was written.
    last_event BIGINT NOT NULL
);
INSERT INTO polling VALUES (0, 0, 0, 0, 0, 0, 0, 0);

-- What came to the webhook.
CREATE TABLE notifications (
    -- Digest of the body.
    digest TEXT PRIMARY KEY,
    -- Where the body names one.
    invoice_number TEXT,
    received_at BIGINT NOT NULL
);
CREATE INDEX notifications_by_age ON notifications (received_at);
